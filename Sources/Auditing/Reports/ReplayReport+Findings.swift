// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension ReplayReport {
    /// Why each byte was downloaded, and what the baseline could do without; empty where nothing was simulated.
    var findingsText: String {
        let causes = occurringCauses
        guard !causes.isEmpty else { return "" }
        let table = TextTable(cells(causes.map(\.column)))
        return "\n\(table.rendered)\n\n"
            + causes.map { $0.cause.title.padded(to: 15) + $0.cause.explanation + "\n" }.joined()
            + (examined.map(Self.findings) ?? "")
    }

    /// The causes that some strategy has bytes of, and their columns.
    var occurringCauses: [(cause: DownloadCause, column: ReportColumn)] {
        ReportColumn.causes.filter { cause, _ in
            outcomes.contains { ($0.simulated?.causes.amount(of: cause).byteCount ?? 0) > 0 }
        }
    }

    private static func findings(of baseline: StrategyOutcome) -> String {
        guard !baseline.findings.isEmpty else { return "" }
        return "\nwhat \(baseline.strategy.name) could do without\n\n"
            + baseline.findings.map { lines(on: $0, in: baseline) }.joined(separator: "\n")
            + (baseline.remedyOfAll.map { "\n  all of it\n" + line(on: $0, in: baseline) + "\n" } ?? "")
    }

    private static func line(on remedy: Finding.Remedy, in outcome: StrategyOutcome) -> String {
        let ratio = saving(Double(remedy.byteCount) / Double(max(1, outcome.usage.sent.body)))
        return "    try       \(remedy.strategy): \(Figure.megabytes(remedy.byteCount)) in all, \(ratio)"
    }

    private static func lines(on finding: Finding, in outcome: StrategyOutcome) -> String {
        let heading = [
            finding.cause.title, Figure.megabytes(finding.amount.byteCount), Figure.percent(finding.percent),
            "in \(Figure.counted(finding.amount.responseCount, noun: "response"))",
        ]
        var lines = ["  " + heading.joined(separator: "  ")]
        if !finding.topObjects.isEmpty { lines.append("    most of   " + list(finding.topObjects)) }
        lines.append("    most at   " + list(Array(finding.topScreens.prefix(2))))
        if let remedy = finding.remedy { lines.append(line(on: remedy, in: outcome)) }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func list(_ parts: [CauseTally.Part]) -> String {
        parts.map { part in
            let times = part.amount.responseCount == 1 ? "" : ", \(Figure.count(part.amount.responseCount)) times"
            return "\(part.name) (\(Figure.megabytes(part.amount.byteCount))\(times))"
        }.joined(separator: "; ")
    }
}
