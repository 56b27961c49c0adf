// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering

/// Bytes and billed quantities as fields of a line.
enum UsageFields {
    static func transferred(
        _ key: String,
        in range: ClosedRange<Int64> = FieldReader.amountRange,
        reader: inout FieldReader
    ) throws(FieldProblem) -> TransferredBytes {
        let bytes = try reader.nested(key) { (inner) throws(FieldProblem) in
            TransferredBytes(
                header: try inner.integer("header", in: range),
                body: try inner.integer("body", in: range),
                wire: try inner.integer("wire", in: range)
            )
        }
        guard let bytes else { throw reader.problem(key, message: "is missing; expected an object") }
        return bytes
    }

    /// Parts that are not named are zero.
    static func billed(
        _ reader: inout FieldReader,
        in range: ClosedRange<Int64> = FieldReader.amountRange
    ) throws(FieldProblem) -> BilledUsage {
        let billed = try reader.nested("billed") { (inner) throws(FieldProblem) in
            BilledUsage(
                egressBytes: try amount("egressBytes", in: range, reader: &inner),
                classA: try amount("classA", in: range, reader: &inner),
                classB: try amount("classB", in: range, reader: &inner),
                documentReads: try amount("documentReads", in: range, reader: &inner),
                documentWrites: try amount("documentWrites", in: range, reader: &inner),
                documentDeletes: try amount("documentDeletes", in: range, reader: &inner),
                ruleReads: try amount("ruleReads", in: range, reader: &inner)
            )
        }
        return billed ?? .zero
    }

    private static func amount(
        _ key: String,
        in range: ClosedRange<Int64>,
        reader: inout FieldReader
    ) throws(FieldProblem) -> Int64 {
        let amount = try reader.optionalInteger(key) ?? 0
        guard range.contains(amount) else { throw reader.outOfRange(key, range: range) }
        return amount
    }

    static func fields(_ totals: UsageTotals) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "requests": .integer(totals.requests), "received": .object(fields(totals.received)),
            "sent": .object(fields(totals.sent)),
        ]
        let billed = fields(totals.billed)
        if !billed.isEmpty { members["billed"] = .object(billed) }
        return members
    }

    static func fields(_ bytes: TransferredBytes) -> [String: JSONValue] {
        ["header": .integer(bytes.header), "body": .integer(bytes.body), "wire": .integer(bytes.wire)]
    }

    static func fields(_ billed: BilledUsage) -> [String: JSONValue] {
        let quantities = [
            "egressBytes": billed.egressBytes, "classA": billed.classA, "classB": billed.classB,
            "documentReads": billed.documentReads, "documentWrites": billed.documentWrites,
            "documentDeletes": billed.documentDeletes, "ruleReads": billed.ruleReads,
        ]
        return quantities.filter { $0.value != 0 }.mapValues(JSONValue.integer)
    }
}
