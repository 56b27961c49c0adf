// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

// Production's texts where a comment says so.
extension FirestoreError {
    /// Production's, as recorded (2026-10).
    static var badResumeToken: Self { Self(.invalidArgument, "bad resume token") }

    /// Production's, as recorded (2026-10).
    static func targetExists(_ id: Int32) -> Self {
        Self(.alreadyExists, "Target ID already exists: \(id)")
    }

    static func targetIDNegative(_ id: Int32) -> Self {
        Self(.invalidArgument, "Target ID cannot be negative: \(id)")
    }

    static func targetIDAfterAssigned(_ id: Int32) -> Self {
        Self(.invalidArgument, "Target ID \(id) given on a stream that picks them: use 0 for all targets or for none")
    }

    static var tooManyTargets: Self {
        Self(.resourceExhausted, "A stream listens to at most \(ListenLimits.targetMax) targets; remove some first.")
    }

    static var tooManyListenRequests: Self {
        Self(
            .resourceExhausted,
            "More than \(ListenLimits.waitingRequestMax) requests wait on the stream; send fewer at a time."
        )
    }

    /// Production's for queries.
    static var readTimeInFuture: Self {
        Self(.invalidArgument, "The requested 'read_time' cannot be in the future.")
    }
}
