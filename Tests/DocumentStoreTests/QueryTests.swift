// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct QueryTests {
    private let store: SQLiteDocumentStore
    private let f = FieldPath(validated: ["f"])

    init() throws {
        self.store = try makeStore()
        let values: [(String, Value)] = [
            ("n", .null), ("b", .boolean(true)), ("nan", .double(.nan)), ("one", .integer(1)), ("onef", .double(1)),
            ("neg", .integer(-5)), ("s", .string("x")), ("arr", .array([.null, .integer(1)])),
            ("m", .map(["a": .integer(1)])),
        ]
        for (id, value) in values {
            try store.put("t/\(id)", ["f": value])
        }
        try store.put("t/missing", ["g": .integer(1)])
    }

    /// Operator, operand, ids in order; measured on the official emulator 1.19.9.
    private static let comparisons: [(Filter.FieldOperator, Value, String)] = [
        (.equal, .null, ""), (.equal, .double(.nan), ""), (.notEqual, .null, ""),
        (.notEqual, .double(.nan), "b nan neg one onef s arr m"),
        (.lessThan, .integer(5), "neg one onef"),
        (.greaterThan, .double(.nan), ""), (.greaterThanOrEqual, .double(.nan), ""),
        (.greaterThanOrEqual, .null, ""), (.lessThanOrEqual, .null, ""),
        (.arrayContains, .null, ""), (.arrayContainsAny, .array([.null]), ""),
        (.arrayContainsAny, .array([.null, .integer(1)]), "arr"),
        (.in, .array([.null, .double(.nan), .integer(1)]), "one onef"),
        (.notIn, .array([.integer(1), .null]), ""),
        (.notIn, .array([.integer(1), .double(.nan)]), "b nan neg s arr m"),
        (.notIn, .array([.integer(1)]), "b nan neg s arr m"), (.notEqual, .integer(1), "b nan neg s arr m"),
        (.in, .array([.array([.null, .integer(1)])]), "arr"), (.equal, .map(["a": .integer(1)]), "m"),
        (.equal, .array([.null, .integer(1)]), "arr"), (.greaterThan, .boolean(false), "b"),
        (.arrayContains, .array([.integer(1)]), ""), (.greaterThan, .map([:]), "m"),
    ]

    @Test func `compares like the official emulator`() throws {
        for (operation, operand, ids) in Self.comparisons {
            let found = try store.paths(Query("t", where: .field(f, operation, operand)))
            #expect(found.map { $0.dropFirst(2) }.joined(separator: " ") == ids, "\(operation.rawValue)")
        }
    }

    @Test(
        "asks about null and NaN like the official emulator",
        arguments: [
            (Filter.UnaryOperator.isNaN, "nan"), (.isNull, "n"), (.isNotNaN, "b neg one onef s arr m"),
            (.isNotNull, "b nan neg one onef s arr m"),
        ]
    )
    func unary(operation: Filter.UnaryOperator, ids: String) throws {
        let found = try store.paths(Query("t", where: .unary(f, operation)))
        #expect(found.map { $0.dropFirst(2) }.joined(separator: " ") == ids)
    }

    @Test func `an order leaves out documents without the field`() throws {
        let found = try store.paths(Query("t", orderBy: [Query.Ordering(f, .descending)]))
        #expect(found.map { $0.dropFirst(2) }.joined(separator: " ") == "m arr s onef one neg nan b n")
    }

    @Test func `compares names`() throws {
        let name = FieldPath.documentID
        func ids(_ operation: Filter.FieldOperator, _ operand: Value) throws -> String {
            try store.paths(Query("t", where: .field(name, operation, operand))).joined(separator: " ")
        }
        #expect(try ids(.equal, reference("t/n")) == "t/n")
        #expect(try ids(.greaterThan, reference("t/onef")) == "t/s")
        #expect(try ids(.lessThanOrEqual, reference("t/b")) == "t/arr t/b")
        #expect(try ids(.greaterThan, reference("s/n")).hasPrefix("t/arr t/b"))
        #expect(try ids(.lessThan, reference("s/n")) == "")
        #expect(try ids(.in, .array([reference("t/s"), reference("t/b"), reference("u/b")])) == "t/b t/s")
        #expect(try ids(.equal, reference("t/n/x/y")) == "")
        #expect(try !ids(.notEqual, reference("t/n")).contains("t/n "))
    }

    @Test func `an inequality in a disjunction leaves out documents without its field`() throws {
        try store.put("u/y", ["b": .integer(2)])
        try store.put("u/z", ["a": .integer(5)])
        let filter = Filter.or([
            .field(try field("a"), .greaterThan, .integer(1)), .field(try field("b"), .equal, .integer(2)),
        ])
        #expect(try store.paths(Query("u", where: filter)) == ["u/z"])
    }

    @Test func `finds collection groups and everything below a parent`() throws {
        let store = try makeStore()
        for (text, x) in [("a/1", 1), ("a/1/b/2", 1), ("a/1/b/2/c/3", 1), ("b/9", 1), ("zz/9/b/1", 2)]
            as [(String, Int64)]
        {
            try store.put(text, ["x": .integer(x)])
        }
        func found(_ id: String?, deep: Bool, under parent: String? = nil) throws -> [String] {
            let source = Query.Source(collectionID: id, allDescendants: deep)
            return try store.paths(Query(parent: try parent.map { try path($0) }, source: source))
        }
        #expect(try found("b", deep: true) == ["a/1/b/2", "b/9", "zz/9/b/1"])
        #expect(try found("b", deep: true, under: "a/1") == ["a/1/b/2"])
        #expect(try found("b", deep: false, under: "a/1") == ["a/1/b/2"])
        #expect(try found(nil, deep: true) == ["a/1", "a/1/b/2", "a/1/b/2/c/3", "b/9", "zz/9/b/1"])
        #expect(try found(nil, deep: true, under: "a/1") == ["a/1/b/2", "a/1/b/2/c/3"])
        #expect(try found(nil, deep: false) == ["a/1", "b/9"])
        let byX = Query(
            source: Query.Source(collectionID: "b", allDescendants: true),
            orderBy: [Query.Ordering(try field("x"), .descending)]
        )
        #expect(try store.paths(byX) == ["zz/9/b/1", "b/9", "a/1/b/2"])
    }

    @Test func `projects fields`() throws {
        try store.put("p/a", ["a": .map(["b": .integer(1), "c": .integer(2)]), "d": .integer(3)])
        var query = Query("p")
        query.projection = try DocumentMask(parsing: ["a.b", "none"])
        #expect(try store.run(query, in: demo).documents[0].fields == ["a": .map(["b": .integer(1)])])
        query.projection = DocumentMask([.documentID])
        #expect(try store.run(query, in: demo).documents[0].fields == [:])
    }

    @Test func `an error of the receiver ends the query and is passed on`() throws {
        struct Enough: Error {}
        #expect(throws: Enough.self) {
            try store.run(Query("t"), in: demo) { _ in throw Enough() }
        }
    }
}
