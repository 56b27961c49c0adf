// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts (recorded 2026-09).
extension DocumentStoreError {
    static let readTimeTooOld = Self(.failedPrecondition, "The requested 'read_time' is too old.")

    static let readTimeBeforeCreation = Self(
        .invalidArgument,
        "The requested 'read_time' cannot be before database creation time."
    )

    static let readTimeInTheFuture = Self(.invalidArgument, "The requested 'read_time' cannot be in the future.")

    static let readTimeTooPrecise = Self(.invalidArgument, "timestamp cannot have more than microseconds precision")
}
