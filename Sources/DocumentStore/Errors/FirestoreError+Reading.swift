// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

// Production's texts (recorded 2026-09).
extension FirestoreError {
    static var negativePageSize: Self { Self(.invalidArgument, "Page size must be nonnegative.") }

    static var invalidPageToken: Self { Self(.invalidArgument, "invalid page token") }

    static var missingInOrder: Self {
        Self(.invalidArgument, "cannot specify an order when show_missing is true")
    }

    static let readTimeTooOld = Self(.failedPrecondition, "The requested 'read_time' is too old.")

    static let readTimeBeforeCreation = Self(
        .invalidArgument,
        "The requested 'read_time' cannot be before database creation time."
    )

    static let readTimeInTheFuture = Self(.invalidArgument, "The requested 'read_time' cannot be in the future.")

    static let readTimeTooPrecise = Self(.invalidArgument, "timestamp cannot have more than microseconds precision")
}

extension FirestoreError {
    static func indexFileInvalid(_ reason: String) -> Self {
        Self(.invalidArgument, "firestore.indexes.json cannot be used: \(reason).")
    }
}
