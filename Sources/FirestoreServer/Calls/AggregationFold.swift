// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

/// Computes the aggregations of a request: counts by the store, sums and averages one document at a time.
///
/// With a sum or an average present *all* aggregations, counts too, see only documents that have every aggregated
/// field, in production too (recorded 2026-09): the query then runs over an index of those fields.
struct AggregationFold {
    /// Production's limit on aggregations a request (cloud.google.com/firestore/quotas, 2026-11).
    static let aggregationCountMax = 5
    /// Production's limit on an alias (recorded 2026-09).
    static let aliasByteCountMax = 1_500

    /// The query to run in the store: the request's, without the parts that the fold does itself.
    let query: Query
    /// The aggregations with their operands, without values: `count, sum likes`.
    let shape: String

    /// The fields a document must have to be seen at all.
    let requiredFields: [FieldPath]
    private var aggregations: [(alias: String, state: AggregationState)]

    /// - Throws: `CallError` or `FirestoreError` (invalid argument) for an aggregation that makes no sense.
    init(_ protos: [Proto.StructuredAggregationQuery.Aggregation], over asked: AskedQuery) throws {
        guard !protos.isEmpty else { throw CallError.aggregationMissing }
        guard protos.count <= Self.aggregationCountMax else { throw CallError.aggregationCount(protos.count) }
        aggregations = try zip(try Self.aliases(protos), protos).map { ($0, try AggregationState($1)) }
        shape = aggregations.map(\.state.shape).joined(separator: ", ")
        requiredFields = aggregations.compactMap(\.state.fieldPath)
        let countMax = aggregations.map(\.state.documentCountMax).max() ?? .max
        query =
            requiredFields.isEmpty
            // The nearest documents may come anywhere in the query's order.
            ? asked.query.counted(upTo: asked.nearest == nil ? countMax : .max)
            : asked.query.ordered(by: requiredFields)
    }

    /// Takes the documents of the query, which are not read where they are only counted.
    ///
    /// - Returns: The time as of which they were taken, and the index entries that were read.
    mutating func run(
        over asked: AskedQuery,
        on store: SQLiteDocumentStore,
        in database: DatabaseID,
        at time: Timestamp?
    ) throws -> (readTime: Timestamp, indexEntriesRead: Int) {
        guard requiredFields.isEmpty, asked.nearest == nil else {
            let cost = try asked.replacingQuery(by: query).run(on: store, in: database, at: time) { document in
                for index in aggregations.indices { try aggregations[index].state.add(document) }
            }
            return (cost.readTime, cost.indexEntriesRead)
        }
        let found = try store.count(query, in: database, at: time)
        for index in aggregations.indices { aggregations[index].state.add(count: found.count) }
        return (found.readTime, found.indexEntriesRead)
    }

    /// Whether the result is known before any document is read, as it is for a count up to zero.
    ///
    /// Production then reads nothing and answers with the last microsecond before 1970 as its read time (recorded
    /// 2026-09).
    var needsNoDocument: Bool {
        aggregations.allSatisfy { $0.state.documentCountMax == 0 }
    }

    /// The values by alias.
    var result: [String: Value] {
        Dictionary(uniqueKeysWithValues: aggregations.map { ($0.alias, $0.state.result) })
    }

    /// Numbers aggregations without an alias as the protocol documents it: `field_1`, `field_2` and so on.
    private static func aliases(_ protos: [Proto.StructuredAggregationQuery.Aggregation]) throws -> [String] {
        var unnamedCount = 0
        let aliases = protos.map { proto in
            guard proto.alias.isEmpty else { return proto.alias }
            unnamedCount += 1
            return "field_\(unnamedCount)"
        }
        var seen: Set<String> = []
        for alias in protos.map(\.alias) {
            guard !ResourceID.isReserved(alias) else { throw CallError.aliasReserved(alias) }
            guard alias.utf8.count <= aliasByteCountMax else { throw CallError.aliasTooLong }
        }
        if let alias = aliases.first(where: { !seen.insert($0).inserted }) { throw CallError.aliasRepeated(alias) }
        return aliases
    }
}

extension Query {
    /// The query without fields, and with no more documents than the largest count asks for.
    fileprivate func counted(upTo count: Int) -> Query {
        var query = self
        query.projection = DocumentMask([])
        if count < .max { query.limit = min(limit ?? count, count) }
        return query
    }

    /// The query with the given fields alone, and further ordered by them, as the index is that serves it: that is
    /// the order in which its offset and limit count.
    fileprivate func ordered(by fields: [FieldPath]) -> Query {
        var query = self
        query.projection = DocumentMask(fields)
        query.furtherOrders = fields
        return query
    }
}

/// One aggregation and what it has seen so far.
enum AggregationState {
    case count(Int64, upTo: Int64)
    case sum(FieldPath, NumberSum)
    case average(FieldPath, NumberSum)

    /// - Throws: `CallError` or `FirestoreError` (invalid argument).
    init(_ proto: Proto.StructuredAggregationQuery.Aggregation) throws {
        switch proto.operator {
        case .count(let count):
            guard !count.hasUpTo || count.upTo.value >= 0 else { throw CallError.upToNegative }
            self = .count(0, upTo: count.hasUpTo ? count.upTo.value : .max)
        case .sum(let sum):
            self = .sum(try Self.operand(sum.field), NumberSum())
        case .avg(let average):
            self = .average(try Self.operand(average.field), NumberSum())
        case nil:
            throw CallError.aggregationUnknown
        }
    }

    private static func operand(_ field: Proto.StructuredQuery.FieldReference) throws -> FieldPath {
        let path = try FieldPath(parsing: field.fieldPath)
        guard !path.isDocumentID else { throw CallError.aggregationOfName }
        try path.validate()
        return path
    }

    /// The aggregated field; a count has none.
    var fieldPath: FieldPath? {
        switch self {
        case .count: nil
        case .sum(let path, _), .average(let path, _): path
        }
    }

    /// How many documents make a difference.
    var documentCountMax: Int {
        switch self {
        case .count(_, let upTo): Int(clamping: upTo)
        case .sum, .average: .max
        }
    }

    /// The aggregation in the words of a query shape.
    var shape: String {
        switch self {
        case .count: "count"
        case .sum(let path, _): "sum \(path)"
        case .average(let path, _): "avg \(path)"
        }
    }

    /// Takes the next document.
    mutating func add(_ document: Document) throws {
        switch self {
        case .count: add(count: 1)
        case .sum(let path, var sum):
            sum.add(try document.value(at: path))
            self = .sum(path, sum)
        case .average(let path, var sum):
            sum.add(try document.value(at: path))
            self = .average(path, sum)
        }
    }

    /// Takes documents that are only counted.
    mutating func add(count added: Int) {
        guard case .count(let count, let upTo) = self else { return }
        self = .count(min(count + Int64(added), upTo), upTo: upTo)
    }

    /// The value for the answer.
    var result: Value {
        switch self {
        case .count(let count, _): .integer(count)
        case .sum(_, let sum): sum.total
        case .average(_, let sum): sum.average
        }
    }
}
