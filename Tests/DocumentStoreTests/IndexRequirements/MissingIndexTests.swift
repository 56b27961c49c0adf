// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreSamples
import Foundation
import Testing

/// Which queries need an index, as recorded from production (2026-09).
struct MissingIndexTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: Shape
        var aggregated: [String] = []
        /// The named indexes; `nil` when the automatic indexes and those of ``configuration`` do.
        let needs: String?
    }

    /// A query without its values.
    struct Shape: Sendable {
        let conditions: [Condition]
        /// Fields, a minus before those going down.
        let orders: [String]
        let isOfGroup: Bool

        var query: Query {
            get throws {
                Query(
                    source: Query.Source(collectionID: "qx", allDescendants: isOfGroup),
                    filter: conditions.isEmpty ? nil : .and(try conditions.map { try $0.filter }),
                    orderBy: try orders.map { order in
                        order.hasPrefix("-")
                            ? .init(try field(String(order.dropFirst())), .descending) : .init(try field(order))
                    }
                )
            }
        }
    }

    struct Condition: Sendable {
        let path: String
        let operation: Filter.FieldOperator

        var filter: Filter {
            get throws { .field(try field(path), operation, .integer(1)) }
        }
    }

    private static func query(_ conditions: [Condition] = [], _ orders: String..., group: Bool = false) -> Shape {
        Shape(conditions: conditions, orders: orders, isOfGroup: group)
    }

    private static func equal(_ field: String) -> Condition { Condition(path: field, operation: .equal) }
    private static func above(_ field: String) -> Condition { Condition(path: field, operation: .greaterThan) }
    private static func contains(_ field: String) -> Condition { Condition(path: field, operation: .arrayContains) }

    private static let configuration = """
        {"indexes": [
          {"collectionGroup": "qx", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]},
          {"collectionGroup": "qx", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "c", "order": "ASCENDING"}]},
          {"collectionGroup": "qx", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "b", "order": "ASCENDING"}, {"fieldPath": "c", "order": "ASCENDING"}]},
          {"collectionGroup": "qx", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "b", "order": "ASCENDING"}]},
          {"collectionGroup": "qx", "queryScope": "COLLECTION_GROUP", "fields": [
            {"fieldPath": "g", "order": "ASCENDING"}, {"fieldPath": "h", "order": "DESCENDING"}]}],
         "fieldOverrides": [
          {"collectionGroup": "qx", "fieldPath": "exempt", "indexes": []},
          {"collectionGroup": "qx", "fieldPath": "shared", "indexes": [
            {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]}
        """

    private static let served = [
        Case(testDescription: "one equality", query: query([equal("x")]), needs: nil),
        Case(
            testDescription: "any number of equalities",
            query: query([equal("x"), equal("y"), equal("z")]),
            needs: nil
        ),
        Case(testDescription: "a range and its order", query: query([above("x")], "x"), needs: nil),
        Case(testDescription: "one order down", query: query([], "-x"), needs: nil),
        Case(testDescription: "a membership", query: query([contains("x")]), needs: nil),
        Case(testDescription: "equality and membership", query: query([equal("x"), contains("y")]), needs: nil),
        Case(testDescription: "equality, then the name down", query: query([equal("x")], "-__name__"), needs: nil),
        Case(testDescription: "a defined one", query: query([equal("a")], "b"), needs: nil),
        Case(testDescription: "two defined ones merged", query: query([equal("a"), equal("b")], "c"), needs: nil),
        Case(testDescription: "a defined membership", query: query([contains("tags")], "b"), needs: nil),
        Case(testDescription: "one of the group", query: query([equal("g")], "-h"), needs: nil),
        Case(testDescription: "the group by name", query: query(group: true), needs: nil),
        Case(testDescription: "a sum", query: query(), aggregated: ["x"], needs: nil),
    ]

    private static let missing = [
        Case(testDescription: "down", query: query([equal("a")], "-b"), needs: "(a ASC, b DESC, __name__ DESC)"),
        Case(testDescription: "two orders", query: query([], "b", "a"), needs: "(b ASC, a ASC, __name__ ASC)"),
        Case(
            testDescription: "membership and order",
            query: query([contains("tags")], "c"),
            needs: "(tags CONTAINS, c ASC, __name__ ASC)"
        ),
        Case(
            testDescription: "one of two equalities",
            query: query([equal("d"), equal("a")], "c"),
            needs: "(a ASC, d ASC, c ASC, __name__ ASC)"
        ),
        Case(
            testDescription: "equality and range",
            query: query([equal("s"), above("c")]),
            needs: "(s ASC, c ASC, __name__ ASC)"
        ),
        Case(
            testDescription: "up, then the name down",
            query: query([above("c")], "c", "-__name__"),
            needs: "(c ASC, __name__ DESC)"
        ),
        Case(
            testDescription: "a sum of some",
            query: query([equal("a")]),
            aggregated: ["d"],
            needs: "(a ASC, d ASC, __name__ ASC)"
        ),
        Case(
            testDescription: "two sums",
            query: query(),
            aggregated: ["n", "d"],
            needs: "(d ASC, n ASC, __name__ ASC)"
        ),
        Case(
            testDescription: "a sum in an order",
            query: query([], "opt"),
            aggregated: ["n"],
            needs: "(opt ASC, n ASC, __name__ ASC)"
        ),
        Case(
            testDescription: "of the group",
            query: query([equal("a")], "b", group: true),
            needs: "(a ASC, b ASC, __name__ ASC)"
        ),
        Case(testDescription: "a field of the group", query: query([equal("x")], group: true), needs: "x ASC"),
        Case(testDescription: "an order of the group", query: query([], "-x", group: true), needs: "x DESC"),
        Case(testDescription: "exempted", query: query([equal("exempt")]), needs: "exempt ASC"),
        Case(testDescription: "exempted below", query: query([above("exempt.x")]), needs: "exempt.x ASC"),
        Case(testDescription: "indexed for the group only", query: query([equal("shared")]), needs: "shared ASC"),
    ]

    @Test func `writes the link and the entry that create an index`() throws {
        let advisor = IndexAdvisor(isRequired: true)
        let query = try Self.query([Self.contains("tags")], "c").query
        let message = refusal { try advisor.admit(query, in: DatabaseID(project: "demo-fs-query-index")) }
        #expect(
            message == """
                FAILED_PRECONDITION: The query requires an index. You can create it here: \
                https://console.firebase.google.com/v1/r/project/demo-fs-query-index/firestore/indexes?create_composite=\
                Ck5wcm9qZWN0cy9kZW1vLWZzLXF1ZXJ5LWluZGV4L2RhdGFiYXNlcy8oZGVmYXVsdCkvY29sbGVjdGlvbkdyb3Vwcy9xeC9pbmRl\
                eGVzL18QARoICgR0YWdzGAEaBQoBYxABGgwKCF9fbmFtZV9fEAE
                Or add to "indexes" in firestore.indexes.json: {"collectionGroup":"qx","queryScope":"COLLECTION",\
                "fields":[{"fieldPath":"tags","arrayConfig":"CONTAINS"},{"fieldPath":"c","order":"ASCENDING"}]}
                """
        )
    }

    @Test func `counts what it lets pass`() throws {
        let advisor = IndexAdvisor()
        for _ in 0..<3 { try advisor.admit(try Self.query([Self.equal("a")], "b").query, in: demo) }
        try advisor.admit(try Self.query([], "-__name__").query, in: demo)
        #expect(advisor.needs.map(\.queryCount) == [3, 1])
    }

    @Test(
        arguments: [
            ("[", "it is no JSON"), ("[]", "the top level is of the wrong type"),
            (#"{"indexes":[{"queryScope":"COLLECTION","fields":[]}]}"#, "indexes[0].collectionGroup is missing"),
            (
                #"{"indexes":[{"collectionGroup":"a","queryScope":"ALL","fields":[]}]}"#,
                "indexes[0].queryScope is neither COLLECTION nor COLLECTION_GROUP"
            ),
            (
                #"{"indexes":[{"collectionGroup":"a","queryScope":"COLLECTION","fields":[{"fieldPath":"a"}]}]}"#,
                "indexes[0].fields[0] needs one of order (ASCENDING, DESCENDING), arrayConfig (CONTAINS) or vectorConfig"
            ),
        ]
    )
    func `says what is wrong with a file`(json: String, reason: String) {
        let message = refusal { _ = try IndexConfiguration(json: Data(json.utf8)) }
        #expect(message == "INVALID_ARGUMENT: firestore.indexes.json cannot be used: \(reason).")
    }

    @Test(arguments: served + missing)
    func `names the index a query needs`(_ example: Case) throws {
        let advisor = IndexAdvisor(try IndexConfiguration(json: Data(Self.configuration.utf8)))
        try advisor.admit(
            try example.query.query,
            in: demo,
            aggregating: try example.aggregated.map { try field($0) }
        )
        #expect(advisor.needs.first?.index.name == example.needs)
    }
}

extension MissingIndex {
    fileprivate var name: String {
        switch self {
        case .composite(let index, _), .vector(let index): "\(index)"
        case .singleField(let path, let mode, _, _): "\(path) \(mode)"
        }
    }
}
