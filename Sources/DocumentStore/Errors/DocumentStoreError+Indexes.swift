// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension DocumentStoreError {
    static func indexFileInvalid(_ reason: String) -> Self {
        Self(.invalidArgument, "firestore.indexes.json cannot be used: \(reason).")
    }
}
