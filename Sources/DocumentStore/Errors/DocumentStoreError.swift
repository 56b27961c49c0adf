// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why the store refused a request.
package struct DocumentStoreError: Error, Sendable, Equatable {
    /// The kind of refusal, named as in `google.rpc.Code`.
    package enum Code: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
        case notFound = "NOT_FOUND"
        case alreadyExists = "ALREADY_EXISTS"
        case failedPrecondition = "FAILED_PRECONDITION"
        /// Refused by an authorization.
        case permissionDenied = "PERMISSION_DENIED"
        case aborted = "ABORTED"
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        case unimplemented = "UNIMPLEMENTED"
        /// The disk or the database file failed.
        case unavailable = "UNAVAILABLE"
        /// The stored data contradicts itself.
        case dataLoss = "DATA_LOSS"
    }

    package var code: Code
    /// Production's words where they are known, else the official emulator's.
    package var message: String
    /// The machine-readable reason of `google.rpc.ErrorInfo`; few refusals have one.
    package var reason: String?

    /// Creates an error; a message that repeats a name of megabytes is cut.
    package init(_ code: Code, _ message: String, reason: String? = nil) {
        self.code = code
        self.message = MessageText.cut(message)
        self.reason = reason
    }
}

extension DocumentStoreError {
    static func indexFileInvalid(_ reason: String) -> Self {
        Self(.invalidArgument, "firestore.indexes.json cannot be used: \(reason).")
    }
}

// Production's texts (recorded 2026-09).
extension DocumentStoreError {
    static var negativePageSize: Self { Self(.invalidArgument, "Page size must be nonnegative.") }

    static var invalidPageToken: Self { Self(.invalidArgument, "invalid page token") }

    static var missingInOrder: Self {
        Self(.invalidArgument, "cannot specify an order when show_missing is true")
    }
}

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

// Texts of the client suites where they assert one (2026-11); production's are not recorded.
extension DocumentStoreError {
    static func int32OutOfRange(_ number: Int64) -> Self {
        Self(
            .invalidArgument,
            "The field '__int__' value (\(number)) is too large to be converted to a 32-bit integer."
        )
    }

    static func uint32OutOfRange(_ name: String, _ number: Int64) -> Self {
        Self(.invalidArgument, "The field '\(name)' value (\(number)) does not represent an unsigned 32-bit integer.")
    }

    static var decimal128Invalid: Self { Self(.invalidArgument, "Invalid decimal128 string.") }

    static var binaryWithoutSubtype: Self {
        Self(.invalidArgument, "The field '__binary__' needs a byte for the subtype.")
    }

    static var objectIDLengthInvalid: Self { Self(.invalidArgument, "Object ID hex string has incorrect length.") }

    static var objectIDInvalid: Self { Self(.invalidArgument, "Object ID must be a hex string.") }

    static func regexOptionInvalid(_ option: Character) -> Self {
        Self(
            .invalidArgument,
            "Invalid regex option '\(option)'. Supported options are 'i', 'm', 's', 'u', and 'x'."
        )
    }
}

// Document names in queries, in production's words (recorded 2026-09).
extension DocumentStoreError {
    static var cursorNameIsNoReference: Self {
        Self(.invalidArgument, "Cursor __key__ value is not a document reference.")
    }

    static var cursorInOtherDatabase: Self {
        Self(.invalidArgument, "The cursor key is in a different database than the query")
    }

    static func otherDatabase(_ other: DatabaseID, request: DatabaseID) -> Self {
        Self(
            .invalidArgument,
            "The request was for database '\(request)' but was attempting to access database '\(other)'"
        )
    }

    static var nameEqualityBesideInequality: Self {
        Self(
            .invalidArgument,
            """
            Equality on key is not allowed if there are other inequality fields \
            and key does not appear in inequalities.
            """
        )
    }

    static var nameNeedsReference: Self { Self(.invalidArgument, "__key__ filter value must be a Key") }

    static var nameIsReserved: Self { Self(.invalidArgument, "the name __key__ is reserved") }
}

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
