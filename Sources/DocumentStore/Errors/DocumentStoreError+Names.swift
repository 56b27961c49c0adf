// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
