// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A figure that a report has of each strategy.
///
/// It is declared once, in `ReportColumn+All.swift`: tables, HTML, Markdown, CSV, JSON, budgets and comparisons read the
/// declaration.
///
///     ReportColumn.all ─┬─▶ JSON, CSV, FigureSet (budgets, comparisons)   all of them, by id
///                       └─▶ ReplayReport.cells ─▶ text, Markdown, HTML    those that a table shows, by title
struct ReportColumn: Sendable {
    /// The unit of a figure.
    enum Unit: Sendable {
        case bytes
        case milliseconds
        case percent
        case dollars
        case count
        case ratio
    }

    /// A figure as JSON has it.
    enum Number: Sendable, Encodable {
        case whole(Int64)
        case real(Double)
        case money(Decimal)

        var double: Double {
            switch self {
            case .whole(let number): Double(number)
            case .real(let number): number
            // By way of the digits, so that it is the number that a reader of the JSON sees.
            case .money(let amount): Double("\(amount)") ?? 0
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .whole(let number): try container.encode(number)
            case .real(let number): try container.encode(number)
            case .money(let amount): try container.encode(amount)
            }
        }
    }

    typealias Value = @Sendable (StrategyOutcome, ReplayReport) -> Number?

    /// The keys that lead to the figure in what the JSON has of a strategy.
    let path: [String]
    /// The name in budgets besides its id.
    var shortName: String?
    /// The heading of its column.
    var title: @Sendable (ReplayReport) -> String
    let unit: Unit
    /// The figure of an outcome; `nil` where it has none.
    let value: Value
    /// The figure as a table shows it, where that is more than the value in its unit.
    var cell: (@Sendable (StrategyOutcome, ReplayReport) -> String?)?
    /// The cell of the baseline, where it differs.
    var baselineCell: String?

    /// The name of the figure in CSV and budgets: the path with dots.
    var id: String { path.joined(separator: ".") }

    init(_ path: String..., title: String, _ unit: Unit, short: String? = nil, value: @escaping Value) {
        self.init(path: path, title: title, unit, short: short, value: value)
    }

    init(path: [String], title: String, _ unit: Unit, short: String? = nil, value: @escaping Value) {
        self.path = path
        shortName = short
        self.title = { _ in title }
        self.unit = unit
        self.value = value
    }

    /// The column with another way to show its figure.
    func shown(
        inBaseline baselineCell: String? = nil,
        _ cell: @escaping @Sendable (StrategyOutcome, ReplayReport) -> String?
    ) -> Self {
        var column = self
        column.cell = cell
        column.baselineCell = baselineCell
        return column
    }

    /// The figures as a table shows them, in one unit; `nil` where an outcome has none.
    func texts(in report: ReplayReport) -> [String?] {
        if let cell { return report.outcomes.map { cell($0, report) } }
        let numbers = report.outcomes.map { value($0, report) }
        let largest = numbers.compactMap { $0?.double }.max() ?? 0
        return numbers.map { number in number.map { Figure.cell($0, in: unit, largest: largest) } }
    }
}

extension ReportColumn {
    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The ids of figures by the short names that budgets may use.
    static let shortNames = Dictionary(
        uniqueKeysWithValues: all.compactMap { column in column.shortName.map { ($0, column.id) } }
    )

    /// The unit of a figure; one that only a former report has is taken for a count.
    static func unit(of id: String) -> Unit { byID[id]?.unit ?? .count }
}

extension ReplayReport {
    /// Some columns of the strategies as text, after their names; columns that no outcome has a figure for are left out.
    func cells(_ columns: [ReportColumn]) -> (heading: [String], rows: [[String]]) {
        let shown = columns.compactMap { column -> (title: String, cells: [String?])? in
            var cells = column.texts(in: self)
            if let own = column.baselineCell, cells.indices.contains(baselineIndex) { cells[baselineIndex] = own }
            return cells.contains { $0 != nil } ? (column.title(self), cells) : nil
        }
        let rows = outcomes.indices.map { index in
            [outcomes[index].strategy.name] + shown.map { $0.cells[index] ?? "-" }
        }
        return (["strategy"] + shown.map(\.title), rows)
    }
}
