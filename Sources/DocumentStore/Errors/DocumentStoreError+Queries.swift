// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// The texts are the official emulator's (1.19.9).
extension DocumentStoreError {
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

    static func tooManyTerms(_ count: Int) -> Self {
        Self(
            .invalidArgument,
            "The query has \(count) filters and sort orders; the maximum is \(QueryLimits.termMax)."
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

    static var cursorNameIsNoReference: Self {
        Self(.invalidArgument, "Cursor __key__ value is not a document reference.")
    }

    static var nameNeedsReference: Self { Self(.invalidArgument, "__key__ filter value must be a Key") }

    static var nameIsNoArray: Self { Self(.invalidArgument, "the name __key__ is reserved") }

    static func repeatedOrder(_ path: FieldPath) -> Self {
        Self(.invalidArgument, "order by clause cannot contain duplicate fields \(path)")
    }

    static var orderAfterName: Self {
        Self(.invalidArgument, "order by clause cannot contain more fields after the key")
    }

    static func filterNeedsCollection(_ path: FieldPath) -> Self {
        Self(.invalidArgument, "kind is required for filter: \(path)")
    }

    static var orderNeedsCollection: Self {
        Self(.invalidArgument, "kind is required for all orders except __key__ ascending")
    }
}
