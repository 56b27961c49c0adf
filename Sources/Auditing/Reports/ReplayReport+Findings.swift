// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension ReplayReport {
    /// Why each byte was downloaded, and what the examined outcome could do without; empty where no cause is known.
    var findingsText: String {
        let causes = occurringCauses
        guard !causes.isEmpty else { return "" }
        let table = TextTable.blocks(cells(causes.map(\.column) + [.other]), width: Self.columnCountMax)
        let other = hasRecorded ? ["other".padded(to: 18) + Self.otherExplanation + "\n"] : []
        return "\n\(table)\n\n"
            + (causes.map { $0.cause.title.padded(to: 18) + $0.cause.explanation + "\n" } + other).joined()
            + (examined.map(findings) ?? "")
    }

    /// The meaning of bytes without a cause.
    static let otherExplanation = "what no view explains: it costs the same with each strategy"

    /// The causes that some strategy has bytes of, and their columns.
    var occurringCauses: [(cause: DownloadCause, column: ReportColumn)] {
        ReportColumn.causes.filter { cause, _ in
            outcomes.contains { ($0.causes?.amount(of: cause).byteCount ?? 0) > 0 }
        }
    }

    private func findings(of baseline: StrategyOutcome) -> String {
        guard !baseline.findings.isEmpty else { return "" }
        return "\n\(examinedHeading("what"))\n\n"
            + baseline.findings.map { Self.lines(on: $0, in: baseline) }.joined(separator: "\n")
            + (baseline.remedyOfAll.map { "\n  All of it together: \($0.text(insteadOf: baseline)).\n" } ?? "")
    }

    private static func lines(on finding: Finding, in outcome: StrategyOutcome) -> String {
        var lines = [finding.sentence(in: outcome).wrapped(to: columnCountMax, indent: "  ")]
        if !finding.topObjects.isEmpty { lines.append("    top objects  " + list(finding.topObjects)) }
        lines.append("    top pages    " + list(Array(finding.topPages.prefix(2))))
        return lines.map { $0 + "\n" }.joined()
    }

    private static func list(_ parts: [CauseTally.Part]) -> String {
        parts.map { part in
            let times = part.amount.responseCount == 1 ? "" : ", \(Figure.count(part.amount.responseCount)) times"
            return "\(part.name) (\(Figure.amount(part.amount.byteCount))\(times))"
        }.joined(separator: "; ")
    }
}
