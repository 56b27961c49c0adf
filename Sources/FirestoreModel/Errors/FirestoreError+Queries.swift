// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Production's texts where they are recorded (2026-09), else the official emulator's (1.19.9).
extension FirestoreError {
    static func tooManyComparisonValues(_ operation: Filter.FieldOperator, limit: Int) -> Self {
        Self(.invalidArgument, "'\(operation.rawValue)' supports up to \(limit) comparison values.")
    }

    static func needsNonEmptyArray(_ operation: Filter.FieldOperator) -> Self {
        Self(.invalidArgument, "'\(operation.rawValue)' requires an non-empty ArrayValue.")
    }

    static func needsArray(_ operation: Filter.FieldOperator) -> Self {
        Self(.invalidArgument, "'\(operation.rawValue)' requires an ArrayValue.")
    }

    static var severalNegations: Self {
        Self(
            .invalidArgument,
            "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
        )
    }

    static var notInWithDisjunction: Self {
        Self(
            .invalidArgument,
            "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
        )
    }

    static var severalArrayContains: Self {
        Self(.invalidArgument, "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
    }

    static func tooManyTerms(filters: Int, orders: Int, hasAncestor: Bool) -> Self {
        Self(
            .invalidArgument,
            """
            The query may not have more than \(QueryLimits.termMax) filters + sort orders + ancestor total. \
            Currently there are \(filters) filters, \(orders) sort orders, \
            and \(hasAncestor ? "one" : "no") ancestor filter.
            """
        )
    }

    static func tooManyInequalities(_ paths: Set<FieldPath>) -> Self {
        let names = paths.sorted().map(\.description).joined(separator: ", ")
        return Self(
            .invalidArgument,
            """
            The query contains \(paths.count) distinct inequality fields: [\(names)]. \
            A query may not have more than \(QueryLimits.inequalityMax) distinct inequality fields.
            """
        )
    }

    static func tooManyDisjunctions(_ count: Int) -> Self {
        Self(
            .invalidArgument,
            """
            Too many disjunctions after normalization. Result had \(count) disjunctions \
            which is more than the maximum of \(QueryLimits.disjunctionMax)
            """
        )
    }

    static var emptyComposite: Self {
        Self(.invalidArgument, "Composite filter must have at least one sub-filter.")
    }

    static var negativeLimit: Self { Self(.invalidArgument, "limit is negative") }

    static var negativeOffset: Self { Self(.invalidArgument, "offset is negative") }

    static var tooManyCursorValues: Self { Self(.invalidArgument, "Cursor has too many values.") }

    static var collectionIDTooLong: Self {
        Self(.invalidArgument, "The query kind is longer than \(ResourceID.byteCountMax) bytes.")
    }

    static func repeatedOrder(_ path: FieldPath) -> Self {
        Self(.invalidArgument, "order by clause cannot contain duplicate fields \(path)")
    }

    static var orderAfterName: Self {
        Self(.invalidArgument, "order by clause cannot contain more fields after the key")
    }

    static func filterNeedsCollection(_ subject: String) -> Self {
        Self(.invalidArgument, "kind is required for filter: \(subject)")
    }

    static func operandTooLarge(_ subject: String) -> Self {
        Self(.invalidArgument, "value for \(subject) is too large to be used in a query")
    }

    static var groupBelowDocument: Self {
        Self(.invalidArgument, "collection group queries are only allowed at the root parent")
    }

    static func fieldsAfterName(_ paths: Set<FieldPath>) -> Self {
        let names = paths.sorted().map(\.unquoted).joined(separator: ", ")
        return Self(
            .invalidArgument,
            """
            This query requires an index that has fields [\(names)] after __name__ and Firestore does not currently \
            support such an index. Please try the query again with additional ordering on those fields.
            """
        )
    }

    static var orderNeedsCollection: Self {
        Self(.invalidArgument, "kind is required for all orders except __key__ ascending")
    }
}

// Document names in queries, in production's words (recorded 2026-09).
extension FirestoreError {
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
extension FirestoreError {
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

    package static var cosineOfZeroVector: Self {
        Self(
            .failedPrecondition,
            "Cannot compute cosine distance against a vector with a magnitude of zero.",
            reason: "COSINE_DISTANCE_ON_ZERO_VECTOR"
        )
    }
}
