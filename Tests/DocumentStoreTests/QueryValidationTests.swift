// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct QueryValidationTests {
    private typealias Case = (Query, String)

    private static func numbers(_ count: Int) -> Value {
        .array((0..<Int64(count)).map { .integer($0) })
    }

    private static let f = FieldPath(validated: ["f"])
    private static let g = FieldPath(validated: ["g"])
    private static let long = Value.string(String(repeating: "x", count: 1_500))
    private static let name = Value.reference(
        DocumentReference(database: demo, path: DocumentPath(validated: ["t", "a"]))
    )
    private static let otherName = Value.reference(
        DocumentReference(database: DatabaseID(project: "x", database: "y"), path: DocumentPath(validated: ["t", "a"]))
    )
    private static let reserved = FieldPath(validated: ["__a__"])

    private static func filtered(_ filter: Filter) -> Query { Query("t", where: filter) }

    private static let filters: [(Filter, String)] = [
        (.field(f, .in, numbers(31)), "'IN' supports up to 30 comparison values."),
        (.field(f, .arrayContainsAny, numbers(31)), "'ARRAY_CONTAINS_ANY' supports up to 30 comparison values."),
        (.field(f, .notIn, numbers(11)), "'NOT_IN' supports up to 10 comparison values."),
        (.field(f, .in, numbers(0)), "'IN' requires an non-empty ArrayValue."),
        (.field(f, .notIn, .integer(1)), "'NOT_IN' requires an ArrayValue."),
        (
            .and([.field(f, .notEqual, .integer(1)), .unary(g, .isNotNull)]),
            "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
        ),
        (
            .and([.field(f, .notIn, numbers(1)), .field(g, .in, numbers(1))]),
            "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
        ),
        (
            .or([.field(f, .notIn, numbers(1)), .field(g, .equal, .null)]),
            "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
        ),
        (
            .and([.field(f, .arrayContains, .integer(1)), .field(f, .arrayContains, .integer(2))]),
            "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
        ),
        (
            .and([.field(f, .arrayContains, .integer(1)), .field(f, .arrayContainsAny, numbers(2))]),
            "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
        ),
        (
            .and([.field(f, .in, numbers(6)), .field(g, .in, numbers(6))]),
            """
            Too many disjunctions after normalization. Result had 36 disjunctions \
            which is more than the maximum of 30
            """
        ),
        (
            .or(
                [.field(f, .lessThan, .null), .field(f, .equal, .double(.nan)), .field(f, .notEqual, .null)]
                    + (0..<30).map { .field(f, .equal, .integer($0)) }
            ),
            """
            Too many disjunctions after normalization. Result had 31 disjunctions \
            which is more than the maximum of 30
            """
        ),
        (
            .unary(FieldPath(validated: Array(repeating: "a", count: 21)), .isNull),
            "paths must have at most 20 elements"
        ),
        (.or([]), "Composite filter must have at least one sub-filter."),
        (.field(.documentID, .equal, .string("x")), "__key__ filter value must be a Key"),
        (.field(.documentID, .in, numbers(2)), "__key__ filter value must be a Key"),
        (.unary(.documentID, .isNull), "__key__ filter value must be a Key"),
        (.field(.documentID, .arrayContains, .null), "the name __key__ is reserved"),
        (.field(reserved, .equal, .null), "Invalid reserved name in field path __a__"),
        (
            .field(FieldPath(validated: ["f", "__a__", "b"]), .equal, .null),
            "Invalid reserved name in field path __a__.b"
        ),
        (.field(FieldPath(validated: ["f", "__name__"]), .equal, .null), "the name __key__ is reserved"),
        (.field(f, .equal, .map(["__a__": .null])), "field name '__a__' is reserved."),
        (.field(f, .equal, .vector([])), "Cannot have a zero length vector."),
        (
            .field(f, .in, .array([.geoPoint(GeoPoint(latitude: 91, longitude: 0))])),
            "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
        ),
        (.field(f, .lessThan, long), "value for f is too large to be used in a query"),
        (.field(f, .arrayContains, long), "value for f[*] is too large to be used in a query"),
        (
            .or([.field(.documentID, .equal, name), .field(f, .greaterThan, .integer(1))]),
            """
            Equality on key is not allowed if there are other inequality fields and key does not appear in \
            inequalities.
            """
        ),
        (
            .field(.documentID, .in, .array([otherName])),
            """
            The request was for database 'projects/demo/databases/(default)' but was attempting to access database \
            'projects/x/databases/y'
            """
        ),
    ]

    private static let queries: [(Query, String)] = [
        (Query("t", limit: -1), "limit is negative"),
        (Query(source: Query.Source(collectionID: "t"), offset: -1), "offset is negative"),
        (
            Query(source: Query.Source(collectionID: "t"), startAt: Query.Cursor(values: [.null], before: true)),
            "Cursor has too many values."
        ),
        (
            Query(
                source: Query.Source(collectionID: "t"),
                orderBy: [Query.Ordering(.documentID)],
                endAt: Query.Cursor(values: [.string("x")], before: true)
            ),
            "Cursor __key__ value is not a document reference."
        ),
        (
            Query("t", orderBy: [Query.Ordering(f), Query.Ordering(f, .descending)]),
            "order by clause cannot contain duplicate fields f"
        ),
        (
            Query("t", orderBy: [Query.Ordering(.documentID), Query.Ordering(f)]),
            "order by clause cannot contain more fields after the key"
        ),
        (
            Query("t", where: .field(f, .greaterThan, .integer(1)), orderBy: [Query.Ordering(.documentID)]),
            "order by clause cannot contain more fields after the key"
        ),
        (Query("t", orderBy: [Query.Ordering(reserved)]), "Invalid reserved name in field path __a__"),
        (Query("a/b"), "Collection id \"a/b\" is invalid because it contains \"/\"."),
        (Query("__a__"), "Collection id \"__a__\" is invalid because it is reserved."),
        (
            Query(source: Query.Source(collectionID: nil), filter: .field(f, .equal, .null)),
            "kind is required for filter: f"
        ),
        (
            Query(source: Query.Source(collectionID: nil), orderBy: [Query.Ordering(f)]),
            "kind is required for all orders except __key__ ascending"
        ),
        (
            Query(
                source: Query.Source(collectionID: "t"),
                orderBy: [Query.Ordering(f)],
                startAt: Query.Cursor(values: [.null, .null], before: true)
            ),
            "Cursor has too many values."
        ),
        (
            Query(
                source: Query.Source(collectionID: "t"),
                orderBy: [Query.Ordering(.documentID)],
                startAt: Query.Cursor(values: [otherName], before: true)
            ),
            "The cursor key is in a different database than the query"
        ),
        (
            Query(
                parent: DocumentPath(validated: ["t", "a"]),
                source: Query.Source(collectionID: "t", allDescendants: true),
                orderBy: [Query.Ordering(f)]
            ),
            "collection group queries are only allowed at the root parent"
        ),
    ]

    @Test func `refuses in production's words`() throws {
        let store = try makeStore()
        for (query, message) in Self.filters.map({ (Self.filtered($0), $1) }) + Self.queries {
            #expect(refusal { _ = try store.run(query, in: demo) } == "INVALID_ARGUMENT: \(message)")
        }
    }

    @Test func `counts what is said twice once unless it is written as an and of one`() throws {
        let store = try makeStore()
        let one = Filter.field(Self.f, .equal, .integer(0))
        let thirty = Filter.field(Self.f, .in, Self.numbers(30))
        #expect(refusal { _ = try store.run(Self.filtered(.or([thirty, one, .and([.or([one])])])), in: demo) } == nil)
        #expect(
            refusal { _ = try store.run(Self.filtered(.or([thirty, .and([one]), .and([.and([one])])])), in: demo) }
                == """
                INVALID_ARGUMENT: Too many disjunctions after normalization. Result had 31 disjunctions \
                which is more than the maximum of 30
                """
        )
    }

    @Test(arguments: [(99, true), (100, false)])
    func `bounds filters and sort orders together`(filterCount: Int, isAccepted: Bool) throws {
        let store = try makeStore()
        let filters = try (0..<filterCount).map { Filter.field(try FieldPath(["f\($0)"]), .equal, .integer(1)) }
        let query = Query("t", where: .and(filters), orderBy: [Query.Ordering(.documentID)])
        let message = """
            INVALID_ARGUMENT: The query may not have more than 100 filters + sort orders + ancestor total. \
            Currently there are 100 filters, 1 sort orders, and no ancestor filter.
            """
        #expect(refusal { _ = try store.run(query, in: demo) } == (isAccepted ? nil : message))
    }

    @Test func `accepts what production accepts`() throws {
        let store = try makeStore()
        let twice = Filter.field(Self.f, .arrayContains, .integer(1))
        let same = Value.array(Array(repeating: .integer(1), count: 6))
        for filter in [
            .and([]), .and([twice, twice]), .or([twice, .field(Self.f, .arrayContains, .integer(2))]),
            .and([.field(Self.f, .notEqual, .integer(1)), .field(Self.f, .in, Self.numbers(2))]),
            .and([.field(Self.f, .in, same), .field(Self.g, .in, Self.numbers(6))]),
            .and([.field(Self.f, .arrayContainsAny, Self.numbers(2)), .field(Self.f, .in, Self.numbers(2))]),
            // A condition that matches nothing is true and false at once, and so the same beside either.
            .and([
                .field(Self.f, .in, .array([.null, .boolean(true), .boolean(false), .integer(1)])),
                .or([.field(Self.f, .lessThan, .null)] + (0..<7).map { .field(Self.g, .equal, .integer($0)) }),
            ]),
            .or([.field(Self.f, .in, Self.numbers(20)), .field(Self.f, .in, Self.numbers(20))]),
            .and([.field(Self.f, .lessThan, .null), .field(.documentID, .equal, Self.name)]),
            .field(Self.f, .equal, .string(String(repeating: "x", count: 1_499))),
        ] as [Filter] {
            #expect(refusal { _ = try store.run(Self.filtered(filter), in: demo) } == nil)
        }
    }
}
