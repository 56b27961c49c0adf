// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreSamples
import TestSupport

/// Documents and queries over the fields `a`, `b`, `m.x` and `t`, from few enough values that queries match.
struct RandomQueries {
    private var values: RandomValues
    private let paths: [FieldPath]

    init(seed: UInt64) throws {
        self.values = RandomValues(seed: seed)
        self.paths = try ["a", "b", "m.x", "t", "m"].map { try FieldPath(parsing: $0) }
    }

    mutating func documents(count: Int) throws -> [(path: DocumentPath, fields: [String: Value])] {
        var documents: [DocumentPath: [String: Value]] = [:]
        while documents.count < count {
            documents[try path()] = fields()
        }
        return documents.map { ($0.key, $0.value) }
    }

    mutating func path() throws -> DocumentPath {
        let number = Int.random(in: -9...99, using: &values.generator)
        // Zero is not the number of a document.
        let id = values.generator.pick(["__id\(number == 0 ? 100 : number)__"] + ids)
        let parents = ["c/", "c/p/c/", "d/", "d/q/c/", "c/p/c/r/c/"]
        return try DocumentPath(parsing: values.generator.pick(parents) + id)
    }

    private let ids = (0..<40).map { "x\($0)" }

    mutating func fields() -> [String: Value] {
        var fields: [String: Value] = [:]
        for name in ["a", "b", "t"] where values.generator.chance(80) {
            fields[name] = scalar()
        }
        if values.generator.chance(50) {
            fields["m"] = .map(["x": scalar()])
        }
        if values.generator.chance(50) {
            fields["t"] = .array((0..<values.generator.pick([0, 1, 2, 3])).map { _ in scalar() })
        }
        return fields
    }

    mutating func query() throws -> Query {
        if values.generator.chance(5) { return try namesOnly() }
        var query = Query(
            source: Query.Source(
                collectionID: values.generator.pick(["c", "c", "c", "d"]),
                allDescendants: values.generator.chance(40)
            )
        )
        if values.generator.chance(20) { query.parent = try DocumentPath(parsing: "c/p") }
        if values.generator.chance(80) { query.filter = try filter(depth: 2) }
        try addOrders(to: &query)
        if values.generator.chance(30) { query.startAt = try cursor(query) }
        if values.generator.chance(30) { query.endAt = try cursor(query) }
        if values.generator.chance(50) { query.limit = values.generator.pick([0, 1, 2, 5, 50]) }
        if values.generator.chance(20) { query.offset = values.generator.pick([1, 3, 40]) }
        return query
    }

    /// Without a collection queries are by name.
    private mutating func namesOnly() throws -> Query {
        var query = Query(source: Query.Source(collectionID: nil, allDescendants: values.generator.chance(70)))
        if values.generator.chance(30) { query.parent = try DocumentPath(parsing: "c/p") }
        let operation = values.generator.pick([Filter.FieldOperator.lessThan, .greaterThanOrEqual])
        if values.generator.chance(50) { query.filter = .field(.documentID, operation, try name()) }
        if values.generator.chance(50) { query.limit = values.generator.pick([1, 5, 50]) }
        if values.generator.chance(20) { query.offset = 3 }
        return query
    }

    private mutating func addOrders(to query: inout Query) throws {
        for path in paths.shuffled(using: &values.generator).prefix(values.generator.pick([0, 0, 1, 1, 2])) {
            query.orderBy.append(Query.Ordering(path, direction()))
        }
        if values.generator.chance(30) {
            query.orderBy.append(Query.Ordering(.documentID, direction()))
        }
    }

    private mutating func direction() -> Query.Direction { values.generator.chance(50) ? .ascending : .descending }

    private mutating func cursor(_ query: Query) throws -> Query.Cursor? {
        guard !query.orderBy.isEmpty else { return nil }
        let count = Int.random(in: 1...query.orderBy.count, using: &values.generator)
        let cursorValues = try query.orderBy.prefix(count).map { order in
            order.fieldPath.isDocumentID ? try name() : scalar()
        }
        return Query.Cursor(values: cursorValues, before: values.generator.chance(50))
    }

    private mutating func filter(depth: Int) throws -> Filter {
        let count = Int.random(in: 1...3, using: &values.generator)
        switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &values.generator) {
        case 0: return .unary(values.generator.pick(paths), values.generator.pick(Filter.UnaryOperator.allCases))
        case 3, 4: return .and(try (0..<count).map { _ in try filter(depth: depth - 1) })
        case 5: return .or(try (0..<count).map { _ in try filter(depth: depth - 1) })
        default: return try fieldFilter()
        }
    }

    private mutating func fieldFilter() throws -> Filter {
        let operation = values.generator.pick(Filter.FieldOperator.allCases)
        let takesList = [.in, .notIn, .arrayContainsAny].contains(operation)
        let isOnName = values.generator.chance(15) && operation != .arrayContains && operation != .arrayContainsAny
        let path = isOnName ? FieldPath.documentID : values.generator.pick(paths)
        guard takesList else { return .field(path, operation, isOnName ? try name() : operand()) }
        let elements = try (0..<values.generator.pick([1, 2, 4])).map { _ in isOnName ? try name() : operand() }
        return .field(path, operation, .array(elements))
    }

    private mutating func name() throws -> Value {
        .reference(DocumentReference(database: demo, path: try path()))
    }

    private mutating func operand() -> Value {
        values.generator.chance(20) ? .array([scalar()]) : scalar()
    }

    private mutating func scalar() -> Value {
        values.generator.chance(75) ? .integer(Int64.random(in: 0...4, using: &values.generator)) : longOrAny()
    }

    /// Long strings share more bytes than an index keeps.
    private mutating func longOrAny() -> Value {
        guard values.generator.chance(25) else { return values.value(depth: 1).withoutNestedArrays }
        return .string(String(repeating: "z", count: 1_600) + values.generator.pick(["a", "b", "c"]))
    }
}

extension Value {
    /// The value as a document may hold it.
    fileprivate var withoutNestedArrays: Value {
        switch self {
        case .array, .vector, .map: .boolean(true)
        default: self
        }
    }
}
