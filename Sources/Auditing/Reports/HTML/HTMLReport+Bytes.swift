// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension HTMLReport {
    var bytesSection: HTML? {
        let causes = report.occurringCauses
        let totals = report.cells([.body]).rows
        let bars = zip(report.outcomes, totals).map { outcome, total in
            StackedBars.Bar(
                name: outcome.strategy.name,
                value: total[1],
                parts: parts(of: outcome, causes.map(\.cause))
            )
        }
        let hasOther = report.outcomes.contains { ($0.otherByteCount ?? 0) > 0 }
        let legend = StackedBars.legend(
            causes.map { ($0.cause.rawValue, "\($0.cause.title): \($0.cause.explanation)") }
                + (hasOther ? [("s1", "other: \(ReplayReport.otherExplanation)")] : [])
        )
        let cells = report.cells([.body, .ratioToBaseline] + causes.map(\.column) + [.other])
        return .section(
            "Bytes by strategy, and why",
            note: "What the servers sent for the same views; every byte of a view has one cause.",
            content: """
                \(StackedBars(bars: bars).html)
                \(legend)
                \(HTML.folded("As a table", content: HTML.table(cells.heading, rows: cells.rows)))
                \(CauseTree(of: report).map(\.html))
                """
        )
    }

    private func parts(of outcome: StrategyOutcome, _ causes: [DownloadCause]) -> [StackedBars.Part] {
        guard let tally = outcome.causes, let other = outcome.otherByteCount else {
            return [StackedBars.Part(color: "s1", title: "downloaded", amount: outcome.usage.sent.body)]
        }
        let known = causes.map { (color: $0.rawValue, name: $0.title, byteCount: tally.amount(of: $0).byteCount) }
        return (known + [("s1", "other", other)]).map { color, name, byteCount in
            StackedBars.Part(color: color, title: "\(name): \(Figure.bytes(byteCount))", amount: byteCount)
        }
    }

    var findingsSection: HTML? {
        guard let baseline = report.examined, !baseline.findings.isEmpty else { return nil }
        let all = baseline.remedyOfAll.map { remedy -> HTML in
            """
            <div class="finding" style="border-color:var(--needed)">
            <p>All of it together: <code>\(HTML.breakable(remedy.text(insteadOf: baseline)))</code>.</p>
            </div>
            """
        }
        return .section(
            report.examinedHeading("What"),
            note: "What to do was simulated on the same views; \(Refactoring.document) shows each change in code.",
            content: "\(all)\(HTML.join(baseline.findings.map { finding($0, of: baseline) }))"
        )
    }

    private func finding(_ finding: Finding, of baseline: StrategyOutcome) -> HTML {
        let refactoring = finding.refactoring(in: baseline)
        let change = refactoring.map { refactoring -> HTML in
            let remedy = finding.remedy.map { remedy -> HTML in
                ": <code>\(HTML.breakable(remedy.text(insteadOf: baseline)))</code>"
            }
            return """
                <p>\(refactoring.summary)\(remedy).</p>
                <p class="soft">\(refactoring.advice) See \(refactoring.documents).</p>
                """
        }
        let objects = finding.topObjects.map { "\($0.name) (\(Figure.amount($0.amount.byteCount)))" }
        let pages = finding.topPages.map { "\($0.name) (\(Figure.amount($0.amount.byteCount)))" }
        let rows: [HTML] = [("top objects", objects), ("top pages", pages)].filter { !$0.1.isEmpty }.map {
            title,
            parts in
            "<dt>\(title)</dt><dd>\(parts.joined(separator: ", "))</dd>"
        }
        return """
            <div class="finding" style="border-color:var(--\(finding.cause.rawValue))">
            <b>\(finding.problem)</b>
            \(change)
            <dl>\(HTML.join(rows, separator: ""))</dl>
            </div>
            """
    }
}
