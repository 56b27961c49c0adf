// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSONWriting
import Metering

extension UsageReport {
    /// The report in JSON, its keys in a fixed order: the same report gives the same bytes.
    package var json: String { JSONText.object(members).rendered(isIndented: false) }

    /// The members of the report's JSON object.
    package var members: [(String, JSONText)] {
        let notCounted = gap.map { [("notCounted", $0.json)] } ?? []
        guard breakdown != nil || series != nil else { return total.members + notCounted }
        let name = breakdown.map { [("by", JSONText.string($0.dimension.rawValue))] } ?? []
        let parts = (breakdown?.members ?? []) + (series?.members ?? [])
        return name + [("total", .object(total.members))] + parts + notCounted
    }
}

extension UsageReport.Breakdown {
    fileprivate var members: [(String, JSONText)] {
        let groups = groups.map { JSONText.object([("key", .string($0.key))] + $0.totals.members) }
        return [("groups", .array(groups))] + (others.map { [("others", .object($0.members))] } ?? [])
    }
}

extension UsageSeries {
    fileprivate var members: [(String, JSONText)] {
        let steps = steps.map { JSONText.object([("start", .string($0.start))] + $0.totals.members) }
        return [("everyMinutes", .integer(minutes)), ("series", .array(steps))]
    }
}

extension UsageTotals {
    var members: [(String, JSONText)] {
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
