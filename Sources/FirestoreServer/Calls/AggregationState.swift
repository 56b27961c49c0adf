// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import SwiftProtobuf

/// One aggregation and what it has seen so far.
enum AggregationState {
    case count(Int64, upTo: Int64)
    case sum(FieldPath, NumberSum)
    case average(FieldPath, NumberSum)

    /// - Throws: `CallError` or `DocumentStoreError` (invalid argument).
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
        case .count(let count, let upTo):
            self = .count(min(count + 1, upTo), upTo: upTo)
        case .sum(let path, var sum):
            sum.add(try document.value(at: path))
            self = .sum(path, sum)
        case .average(let path, var sum):
            sum.add(try document.value(at: path))
            self = .average(path, sum)
        }
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
