// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts (recorded 2026-09).
extension DocumentStoreError {
    static var negativePageSize: Self { Self(.invalidArgument, "Page size must be nonnegative.") }

    static var invalidPageToken: Self { Self(.invalidArgument, "invalid page token") }

    static var missingInOrder: Self {
        Self(.invalidArgument, "cannot specify an order when show_missing is true")
    }
}
