// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// All figures of a report, by strategy and name: of the one just made, or of a former one in a file.
struct FigureSet: Sendable {
    /// The figures of a strategy.
    struct Row: Sendable {
        let strategy: String
        /// By the way to them in the JSON, such as `billed.documentReads`.
        let figures: [String: Double]
    }

    /// The strategies in the order of the report.
    let rows: [Row]
    /// The place of the strategy that the others are compared with.
    private(set) var baselineIndex = 0

    fileprivate init(rows: [Row], baselineIndex: Int) { (self.rows, self.baselineIndex) = (rows, baselineIndex) }

    /// The strategy that the others are compared with.
    var baseline: Row { rows[baselineIndex] }

    /// The rows that a bound concerns which names no strategy: neither the baseline nor what really happened, unless there is
    /// nothing else.
    var judged: [Row] {
        let judged = rows.enumerated().filter { index, row in
            index != baselineIndex && row.strategy != Strategy.recorded.name
        }
        return judged.isEmpty ? rows : judged.map(\.element)
    }

    /// Takes the figures of a report's JSON; `nil` when it has no strategies.
    init?(_ report: JSONValue) {
        guard let strategies = report["strategies"]?.array, !strategies.isEmpty else { return nil }
        var rows: [Row] = []
        for strategy in strategies {
            guard let name = strategy["name"]?.string else { return nil }
            var figures: [String: Double] = [:]
            Self.add(strategy, at: "", to: &figures)
            rows.append(Row(strategy: name, figures: figures))
        }
        self.rows = rows
    }

    /// Reads a former report, and what it is of.
    static func read(reportAt path: String) throws(AuditError) -> (FigureSet, [ReportCircumstance]) {
        let file = try JSONFile(path, what: "report", schema: ReplayReport.schema)
        guard let figures = FigureSet(file.value) else {
            throw file.wrong(["strategies"], problem: "expected a list of 'strategies' with their names")
        }
        return (figures, ReportCircumstance.all(in: file.value))
    }

    /// The names of all figures, in alphabetical order.
    var names: [String] { Set(rows.flatMap(\.figures.keys)).sorted() }

    /// The figures of a strategy; `nil` when the report does not have it.
    func row(of strategy: String) -> Row? { rows.first { $0.strategy == strategy } }

    private static func add(_ value: JSONValue, at path: String, to figures: inout [String: Double]) {
        // A former report may hold any number; those without an end are not figures.
        if let number = value.double, number.isFinite { figures[path] = number }
        guard case .object(let fields) = value else { return }
        for (key, value) in fields { add(value, at: path.isEmpty ? key : "\(path).\(key)", to: &figures) }
    }
}

extension ReplayReport {
    /// The figures of the report.
    var figures: FigureSet {
        FigureSet(
            rows: outcomes.map { outcome in
                let figures = ReportColumn.all.compactMap { column in
                    column.value(outcome, self).map { (column.id, $0.double) }
                }
                return FigureSet.Row(
                    strategy: outcome.strategy.name,
                    figures: Dictionary(uniqueKeysWithValues: figures)
                )
            },
            baselineIndex: baselineIndex
        )
    }
}
