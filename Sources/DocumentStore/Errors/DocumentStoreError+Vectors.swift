// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts (recorded 2026-09).
extension DocumentStoreError {
    static var nearestLimitInvalid: Self {
        Self(
            .invalidArgument,
            "FindNearest.limit must be a positive integer of no more than \(NearestSearch.limitMax)"
        )
    }

    static func nearestResultFieldReserved(_ name: String) -> Self {
        Self(.invalidArgument, "The distanceResultField.property.name \"\(name)\" is reserved.")
    }

    static var nearestResultFieldTooLong: Self {
        Self(
            .invalidArgument,
            "The distanceResultField.property.name is longer than \(FieldPath.segmentByteCountMax) bytes."
        )
    }

    static var nearestThresholdInvalid: Self {
        Self(.invalidArgument, "distanceThreshold must be a finite number.")
    }

    /// A search has its own limit and no order, so that a part of the query makes no sense.
    static func nearestExcludes(_ part: String) -> Self {
        Self(.invalidArgument, "A \(part) cannot be used with FindNearest")
    }

    static var cosineOfZeroVector: Self {
        Self(
            .failedPrecondition,
            "Cannot compute cosine distance against a vector with a magnitude of zero.",
            reason: "COSINE_DISTANCE_ON_ZERO_VECTOR"
        )
    }
}
