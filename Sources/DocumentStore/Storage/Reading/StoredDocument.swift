// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A document together with its row.
struct StoredDocument {
    /// `nil` for one that has not been written to the file yet.
    let row: Int64?
    let document: Document
}
