// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// The bounds that the figures of a report must keep: `{"schema":"firemeter.budget/1","thresholds":{"bytes":["<50MB"]}}`.
package struct Budget: Sendable {
    /// The schema of files of budgets.
    static let fileSchema = "firemeter.budget/1"

    /// The short names of figures, in alphabetical order.
    package static let shortNames = ReportColumn.shortNames.keys.sorted()

    /// Bounds of one figure.
    struct Entry: Sendable {
        /// The figure as the file names it.
        let name: String
        let figure: FigureName
        let threshold: Threshold
        /// The line of the bound in the file, from 1.
        let line: Int
    }

    /// The path, as it was given.
    package let path: String
    /// The bounds, in the order of the file's lines.
    let entries: [Entry]

    /// Reads a budget.
    package init(_ path: String) throws(AuditError) {
        self.path = path
        let file = try JSONFile(path, what: "budget", schema: Self.fileSchema)
        guard case .object(let thresholds)? = file.value["thresholds"], !thresholds.isEmpty else {
            throw file.wrong(
                ["thresholds"],
                problem: "'thresholds' must have at least one, such as {\"bytes\": [\"<50MB\"]}"
            )
        }
        var entries: [Entry] = []
        for (name, bounds) in thresholds.sorted(by: { $0.key < $1.key }) {
            guard let figure = FigureName(name) else {
                throw file.wrong(
                    ["thresholds", name],
                    problem: "'\(name)' is no figure; in braces there may be 'strategy:' and 'view:', as in"
                        + " bytes{strategy:thumbnails,view:openFeed}"
                )
            }
            guard let bounds = bounds.array, !bounds.isEmpty else {
                throw file.wrong(["thresholds", name], problem: "expected a list of bounds such as [\"<50MB\"]")
            }
            let unit = ReportColumn.unit(of: figure.path)
            for (index, bound) in bounds.enumerated() {
                let part = ["thresholds", name, String(index)]
                guard let text = bound.string, let threshold = Threshold(text, of: unit) else {
                    let example = Threshold.example(of: unit)
                    throw file.wrong(
                        part,
                        problem:
                            "expected a bound of '\(name)' such as \"\(example)\", \"<0.2x baseline\" or \"<1.05x former\""
                    )
                }
                entries.append(Entry(name: name, figure: figure, threshold: threshold, line: file.line(of: part)))
            }
        }
        // Sorting is stable: bounds on one line stay in the order of their names.
        self.entries = entries.sorted { $0.line < $1.line }
    }
}
