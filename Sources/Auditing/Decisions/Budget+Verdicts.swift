// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics

extension Budget {
    /// Whether a strategy keeps a bound.
    package struct Verdict: Sendable, Hashable {
        /// The figure as the file names it.
        package let name: String
        /// The bound as the file has it, such as `<50MB`.
        package let threshold: String
        /// The strategy.
        package let strategy: String
        /// The line of the bound in the file, from 1.
        package let line: Int
        /// The figure, as people read it.
        package let figure: String
        /// The value of the bound as text, where it is relative.
        package let limit: String?
        /// Whether the figure keeps the bound.
        package let isKept: Bool

        /// The figure and its bound: `bytes <50MB`.
        package var bound: String { "\(name) \(threshold)" }

        /// `bytes of all-images: 948.8 MB, not <50MB`.
        package var explanation: String {
            let limit = limit.map { " (\($0))" } ?? ""
            return "\(name) of \(strategy): \(figure), \(isKept ? "within" : "not") \(threshold)\(limit)"
        }
    }

    /// Holds the figures of a report, and of a former one, against the budget: a verdict for each bound and strategy.
    ///
    /// A bound that names no strategy concerns neither the baseline nor what really happened: both are what is to be improved.
    func verdicts(on figures: FigureSet, former: FigureSet?) throws(AuditError) -> [Verdict] {
        var verdicts: [Verdict] = []
        for entry in entries {
            let rows =
                entry.figure.strategy.map { name in figures.rows.filter { $0.strategy == name } } ?? figures.judged
            guard !rows.isEmpty else {
                let names = figures.rows.map(\.strategy).joined(separator: ", ")
                throw wrong(entry, problem: "the report has no such strategy; it has \(names)")
            }
            guard rows.contains(where: { $0.figures[entry.figure.path] != nil }) else {
                throw wrong(
                    entry,
                    problem: "the report has no such figure; it has " + figures.names.joined(separator: ", ")
                )
            }
            let countBefore = verdicts.count
            for row in rows {
                guard let figure = row.figures[entry.figure.path] else { continue }
                let isBaseline = row.strategy == figures.baseline.strategy
                if case .timesBaseline = entry.threshold.bound, isBaseline, entry.figure.strategy == nil { continue }
                let limit = try limit(of: entry, in: row, figures: figures, former: former)
                verdicts.append(verdict(entry, strategy: row.strategy, figure: figure, limit: limit))
            }
            guard verdicts.count > countBefore else {
                throw wrong(entry, problem: "there is no strategy beside the baseline that it could bound")
            }
        }
        return verdicts
    }

    private func verdict(_ entry: Entry, strategy: String, figure: Double, limit: Double) -> Verdict {
        let isWritten = if case .number = entry.threshold.bound { true } else { false }
        let unit = ReportColumn.unit(of: entry.figure.path)
        return Verdict(
            name: entry.name,
            threshold: entry.threshold.text,
            strategy: strategy,
            line: entry.line,
            figure: Figure.text(figure, in: unit),
            limit: isWritten ? nil : Figure.text(limit, in: unit),
            isKept: entry.threshold.comparison.holds(figure, bound: limit)
        )
    }

    private func limit(
        of entry: Entry,
        in row: FigureSet.Row,
        figures: FigureSet,
        former: FigureSet?
    ) throws(AuditError) -> Double {
        switch entry.threshold.bound {
        case .number(let number): return number
        case .timesBaseline(let times):
            guard let baseline = figures.baseline.figures[entry.figure.path] else {
                throw wrong(entry, problem: "the baseline \(figures.baseline.strategy) has no such figure")
            }
            return times * baseline
        case .timesFormer(let times):
            guard let former else {
                throw wrong(entry, problem: "there is no former report; name one with --compare-to")
            }
            guard let figure = former.row(of: row.strategy)?.figures[entry.figure.path] else {
                throw wrong(entry, problem: "the former report does not have it for \(row.strategy)")
            }
            return times * figure
        }
    }

    /// Refuses what no report on these strategies can have, before one is made.
    package func check(strategies: [String], hasFormer: Bool) throws(AuditError) {
        let known = strategies + [Strategy.recorded.name]
        let figures = ReportColumn.all.map(\.id)
        for entry in entries {
            if let strategy = entry.figure.strategy, !known.contains(strategy) {
                let meant = known.word(similarTo: strategy).map { "; did you mean '\($0)'?" }
                let names = strategies.joined(separator: ", ")
                throw wrong(entry, problem: "the report has no such strategy" + (meant ?? "; it has \(names)"))
            }
            if !figures.contains(entry.figure.path) {
                let names = Self.shortNames + figures
                let meant = names.word(similarTo: entry.figure.path).map { "; did you mean '\($0)'?" }
                let list = figures.filter { !$0.hasPrefix("views.") }.joined(separator: ", ")
                throw wrong(entry, problem: "the report has no such figure" + (meant ?? "; it has \(list)"))
            }
            if case .timesFormer = entry.threshold.bound, !hasFormer {
                throw wrong(entry, problem: "there is no former report; name one with --compare-to")
            }
        }
    }

    private func wrong(_ entry: Entry, problem: String) -> AuditError {
        AuditError(code: .usage, description: "\(path), line \(entry.line): '\(entry.name)': \(problem)")
    }
}
