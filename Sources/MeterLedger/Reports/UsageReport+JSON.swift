// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSONWriting
import Metering

extension UsageReport {
    /// The report in JSON, its keys in a fixed order: the same report gives the same bytes.
    package var json: String { JSONText.object(members).rendered(isIndented: false) }

    /// The members of the report's JSON object.
    package var members: [(String, JSONText)] {
        guard let breakdown else { return total.members }
        let groups = breakdown.groups.map { JSONText.object([("key", .string($0.key))] + $0.totals.members) }
        return [
            ("by", .string(breakdown.dimension.rawValue)),
            ("total", .object(total.members)),
            ("groups", .array(groups)),
        ]
    }
}

extension UsageTotals {
    fileprivate var members: [(String, JSONText)] {
        [("requests", .integer(requests)), ("bytes", bytes), ("billed", billed.json)]
    }

    // "received" and "sent" are what the socket moved; "bodySent" is the part of it that is content.
    private var bytes: JSONText {
        .object([
            ("received", .integer(received.wire)), ("sent", .integer(sent.wire)), ("bodySent", .integer(sent.body)),
        ])
    }
}

extension BilledUsage {
    fileprivate var json: JSONText {
        .object([
            ("egressBytes", .integer(egressBytes)), ("classA", .integer(classA)), ("classB", .integer(classB)),
            ("documentReads", .integer(documentReads)), ("documentWrites", .integer(documentWrites)),
            ("documentDeletes", .integer(documentDeletes)),
        ])
    }
}
