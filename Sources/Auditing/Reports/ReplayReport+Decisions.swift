// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A report that was made before, to be compared with.
package struct FormerReport: Sendable {
    let path: String
    let figures: FigureSet
    let circumstances: [ReportCircumstance]

    /// Reads a report in the form json.
    package init(_ path: String) throws(AuditError) {
        self.path = path
        (figures, circumstances) = try FigureSet.read(reportAt: path)
    }
}

extension ReplayReport {
    /// How a budget is kept.
    struct Judgement: Sendable {
        let path: String
        let verdicts: [Budget.Verdict]

        var breaches: [Budget.Verdict] { verdicts.filter { !$0.isKept } }
    }

    /// The bounds that are not kept, each with its place in the budget and what the figure is.
    package var breaches: [String] {
        guard let budget else { return [] }
        return budget.breaches.map { "\(budget.path), line \($0.line): \($0.explanation)" }
    }

    /// Holds the report against a former one and a budget, each where there is one.
    package mutating func decide(by budget: Budget?, comparedTo former: FormerReport?) throws {
        let figures = figures
        comparison = former.map {
            ReportComparison(
                figures,
                to: $0.figures,
                at: $0.path,
                circumstances: circumstances,
                formerly: $0.circumstances
            )
        }
        if let budget {
            self.budget = Judgement(
                path: budget.path,
                verdicts: try budget.verdicts(on: figures, former: former?.figures)
            )
        }
    }

    /// The changes and the verdicts as tables; empty where there is nothing to compare with.
    var decisionsText: String { comparisonText + budgetText }

    private var comparisonText: String {
        guard let comparison else { return "" }
        let heading = "\nagainst \(comparison.path)\n\n"
        let notes = comparison.notes.map { $0 + "\n" }.joined()
        guard !comparison.shownChanges.isEmpty else { return heading + notes }
        var table = TextTable(heading: ["strategy", "figure", "former", "now", "change", "ratio"])
        for change in comparison.shownChanges { table.add([change.strategy, change.figure] + change.cells) }
        return heading + table.rendered + "\n" + notes
    }

    private var budgetText: String {
        guard let budget else { return "" }
        let kept = budget.verdicts.count - budget.breaches.count
        let heading =
            "\nbudget \(budget.path): \(kept) of \(Figure.counted(Int64(budget.verdicts.count), noun: "bound")) kept\n"
        return heading + budget.breaches.map { "  line \($0.line): \($0.explanation)\n" }.joined()
    }
}

extension ReportComparison.Change {
    /// Former, now, the difference with its sign, and the ratio, as people read them.
    var cells: [String] {
        let unit = ReportColumn.unit(of: figure)
        return [
            Figure.text(former, in: unit), Figure.text(now, in: unit),
            (delta < 0 ? "-" : "+") + Figure.text(abs(delta), in: unit),
            ratio.map { Figure.hundredths($0) + "x" } ?? "-",
        ]
    }
}
