// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension HTMLReport {
    var budgetSection: HTML? {
        guard let budget = report.budget else { return nil }
        let rows = budget.verdicts.sorted { !$0.isKept && $1.isKept }.map { verdict in
            [
                verdict.bound, verdict.strategy, verdict.figure + (verdict.limit.map { " (\($0))" } ?? ""),
                verdict.isKept ? "kept" : "broken", String(verdict.line),
            ]
        }
        let kept = budget.verdicts.count - budget.breaches.count
        return .section(
            "Budget: \(kept) of \(Figure.counted(Int64(budget.verdicts.count), "bound")) kept",
            budget.path,
            HTML.table(["bound", "strategy", "figure", "verdict", "line"], rows)
        )
    }

    var comparisonSection: HTML? {
        guard let comparison = report.comparison else { return nil }
        let rows = comparison.shownChanges.map { [$0.strategy, $0.figure] + $0.cells }
        let note = comparison.notes.joined(separator: "; ") + "."
        let table = HTML.table(["strategy", "figure", "former", "now", "change", "ratio"], rows)
        return .section("Against \(comparison.path)", note, rows.isEmpty ? "" : table)
    }
}
