// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension HTMLReport {
    var bytesSection: HTML? {
        let causes = report.occurringCauses
        let bars = report.outcomes.map { outcome in
            let parts =
                outcome.simulated.map { simulated in
                    causes.map { cause, _ in
                        let byteCount = simulated.causes.amount(of: cause).byteCount
                        let title = "\(cause.title): \(Figure.bytes(byteCount))"
                        return StackedBars.Part(color: cause.rawValue, title: title, amount: byteCount)
                    }
                } ?? [StackedBars.Part(color: "s1", title: "downloaded", amount: outcome.usage.sent.body)]
            return StackedBars.Bar(
                name: outcome.strategy.name,
                value: Figure.bytes(outcome.usage.sent.body),
                parts: parts
            )
        }
        let legend = StackedBars.legend(
            causes.map { ($0.cause.rawValue, "\($0.cause.title): \($0.cause.explanation)") }
        )
        let cells = report.cells([.body, .ratioToBaseline] + causes.map(\.column))
        return .section(
            "Bytes by strategy, and why",
            note: "What the servers sent for the same views; every byte has one cause.",
            content: "\(StackedBars(bars: bars).html)\n\(legend)\n\(HTML.table(cells.heading, rows: cells.rows))"
        )
    }

    var findingsSection: HTML? {
        guard let baseline = report.examined, !baseline.findings.isEmpty else { return nil }
        let findings = baseline.findings.map { finding -> HTML in
            let objects = finding.topObjects.map { "\($0.name) (\(Figure.bytes($0.amount.byteCount)))" }
            let screens = finding.topPages.map { "\($0.name) (\(Figure.bytes($0.amount.byteCount)))" }
            let remedy = finding.remedy.map { remedyRow($0, of: baseline) }
            return """
                <div class="finding" style="border-color:var(--\(finding.cause.rawValue))">
                <b>\(finding.cause.title): \(Figure.bytes(finding.amount.byteCount)), \(Figure.percent(finding.percent))</b>
                <div class="soft">\(finding.cause.explanation)</div>
                <dl><dt>most of</dt><dd>\(objects.joined(separator: ", "))</dd>\
                <dt>most at</dt><dd>\(screens.joined(separator: ", "))</dd>\(remedy)</dl>
                </div>
                """
        }
        return .section(
            "What \(baseline.strategy.name) could do without",
            note: "Most bytes first. What to try was simulated on the same views.",
            content: "\(HTML.join(findings))\(baseline.remedyOfAll.map { remedyOfAll($0, of: baseline) })"
        )
    }

    private func remedyOfAll(_ remedy: Finding.Remedy, of baseline: StrategyOutcome) -> HTML {
        """
        <div class="finding" style="border-color:var(--needed)">
        <b>all of it</b>
        <dl>\(remedyRow(remedy, of: baseline))</dl>
        </div>
        """
    }

    private func remedyRow(_ remedy: Finding.Remedy, of baseline: StrategyOutcome) -> HTML {
        let ratio = ReplayReport.saving(Double(remedy.byteCount) / Double(max(1, baseline.usage.sent.body)))
        let bytes = "\(Figure.bytes(remedy.byteCount)) in all, \(ratio)"
        return "<dt>try</dt><dd><code>\(remedy.strategy)</code>: \(bytes)</dd>"
    }
}
