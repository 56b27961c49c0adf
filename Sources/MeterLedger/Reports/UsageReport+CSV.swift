// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageReport {
    /// The report as comma-separated values (RFC 4180): the steps in time, or the groups, or the total alone.
    ///
    /// The first line names the columns, figures as they stand in the JSON.
    package var csv: String {
        if let series { return Self.table("start", series.steps.map { ($0.start, $0.totals) }) }
        if let breakdown {
            let groups = breakdown.groups.map { ($0.key, $0.totals) }
            return Self.table(breakdown.dimension.rawValue, groups + Self.others(breakdown))
        }
        return Self.table(nil, [("", total)])
    }

    private static func others(_ breakdown: Breakdown) -> [(String, UsageTotals)] {
        breakdown.others.map { [("(others)", $0)] } ?? []
    }

    private static func table(_ name: String?, _ rows: [(name: String, totals: UsageTotals)]) -> String {
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
