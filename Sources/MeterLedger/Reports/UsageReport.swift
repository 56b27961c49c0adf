// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Metering

/// The answer to `GET /usage`.
package struct UsageReport: Hashable, Sendable {
    /// The groups of a report, and what they have in common.
    package struct Breakdown: Hashable, Sendable {
        /// The attribute that groups share.
        package var dimension: UsageDimension
        /// The groups, or the first of them.
        package var groups: [UsageGroup]
        /// The sum of those left out, so that all adds up to the total; `nil` where none is left out.
        package var others: UsageTotals?
        /// The prices that groups are listed with; `nil` for none.
        package var prices: UsagePrices?

        /// Creates a breakdown.
        package init(
            by dimension: UsageDimension,
            groups: [UsageGroup],
            others: UsageTotals? = nil,
            prices: UsagePrices? = nil
        ) {
            self.dimension = dimension
            self.groups = groups
            self.others = others
            self.prices = prices
        }
    }

    /// The sum of the records asked for.
    package var total: UsageTotals
    /// The records in groups, if asked for.
    package var breakdown: Breakdown?
    /// The records in time, if asked for.
    package var series: UsageSeries?

    /// The usage that all of them lack; `nil` for a ledger that has lost nothing and can be written.
    package var gap: UsageGap?

    /// Creates a report.
    package init(
        total: UsageTotals,
        breakdown: Breakdown? = nil,
        series: UsageSeries? = nil,
        gap: UsageGap? = nil
    ) {
        self.total = total
        self.breakdown = breakdown
        self.series = series
        self.gap = gap
    }
}

extension UsageReport {
    /// The report as comma-separated values (RFC 4180): the steps in time, or the groups, or the total alone.
    ///
    /// The first line names the columns, figures as they stand in the JSON.
    package var csv: String {
        if let series { return Self.table("start", rows: series.steps.map { ($0.start, $0.totals) }) }
        if let breakdown {
            let groups = breakdown.groups.map { ($0.key, $0.totals) }
            return Self.table(breakdown.dimension.rawValue, rows: groups + Self.others(breakdown))
        }
        return Self.table(nil, rows: [("", total)])
    }

    private static func others(_ breakdown: Breakdown) -> [(String, UsageTotals)] {
        breakdown.others.map { [("(others)", $0)] } ?? []
    }

    private static func table(_ name: String?, rows: [(name: String, totals: UsageTotals)]) -> String {
        let figures = UsageFigure.allCases
        let head = [name].compactMap(\.self) + figures.map(\.rawValue)
        let lines = rows.map { row in
            (name == nil ? [] : [field(row.name)]) + figures.map { String($0.value(row.totals)) }
        }
        return ([head] + lines).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}

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
        let groups = groups.map { JSONText.object([("key", .string($0.key))] + members(of: $0.totals)) }
        return [("groups", .array(groups))] + (others.map { [("others", .object(members(of: $0)))] } ?? [])
    }

    private func members(of totals: UsageTotals) -> [(String, JSONText)] {
        totals.members + (prices.map { [("usd", .number($0.usd(of: totals)))] } ?? [])
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
            ("documentDeletes", .integer(documentDeletes)), ("ruleReads", .integer(ruleReads)),
            ("tier1ActiveUsers", .integer(tier1ActiveUsers)), ("tier2ActiveUsers", .integer(tier2ActiveUsers)),
            ("smsMessages", .integer(smsMessages)),
        ])
    }
}
