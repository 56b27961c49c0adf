// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension ReplayReport {
    /// The report as a comment on a pull request; its hidden first line lets a bot find and replace it.
    var markdown: String {
        let title = log.split(separator: "/").last.map(String.init) ?? log
        return """
            <!-- audit:\(title.markdownComment) -->
            ### Downloads of \(title.markdownCell)

            \(Figure.counted(Int64(viewCount), noun: "view")) of \(Figure.counted(Int64(clientCount), noun: "user"))\(inferredNote)

            \(bestNote)\(strategyTable)\(comparisonSection)\(budgetSection)\(findingsSection)\(screensSection)\(readsSection)
            <sub>Prices and free amounts: profile \(profile.name.markdownCell) as of \(profile.asOf), for \
            \(Figure.count(dailyUserCount)) daily users.\(timesNote)</sub>

            """
    }

    private var inferredNote: String {
        guard imported != nil else { return "" }
        return hasRecorded
            ? ", **inferred** from requests; `recorded` is what really happened"
            : ", **inferred** from logs of downloads"
    }

    private var bestNote: String { bestText.map { "**\($0.markdownCell)**\n\n" } ?? "" }

    private var timesNote: String {
        outcomes.contains { $0.simulated != nil }
            ? " Times: \(network.title.markdownCell), modelled, not measured." : ""
    }

    private var strategyTable: String {
        let cells = cells([.body, .ratioToBaseline, .requests, .documentReads, .firstImageP95, .month])
        var table = MarkdownTable(heading: cells.heading)
        for row in cells.rows { table.add(["`\(row[0])`"] + row.dropFirst()) }
        return table.rendered
    }

    private var comparisonSection: String {
        guard let comparison else { return "" }
        let heading = "\n#### Against \(comparison.path.markdownCell)\n\n"
        let notes = comparison.notes.map { $0.markdownCell + "\n" }.joined()
        guard !comparison.shownChanges.isEmpty else { return heading + notes }
        var table = MarkdownTable(heading: ["strategy", "figure", "former", "now", "change", "ratio"])
        for change in comparison.shownChanges {
            table.add(["`\(change.strategy)`", change.figure] + change.cells)
        }
        return heading + table.rendered + "\n" + notes
    }

    private var budgetSection: String {
        guard let budget else { return "" }
        let kept = budget.verdicts.count - budget.breaches.count
        let count = Figure.counted(Int64(budget.verdicts.count), noun: "bound")
        let heading = "\n#### Budget: \(kept) of \(count) kept\n\n"
        guard !budget.breaches.isEmpty else { return heading }
        return heading
            + budget.breaches.map { verdict in
                "- **line \(verdict.line)** of \(budget.path.markdownCell): \(verdict.explanation.markdownCell)\n"
            }.joined()
    }

    private var readsSection: String {
        guard let reads = readsTable else { return "" }
        var table = MarkdownTable(heading: reads.heading)
        for row in reads.rows { table.add(row) }
        let sentences = repeatedReads.map { "- \($0.markdownCell)\n" }.joined()
        let remedy = readRemedy.map { "\nTry `\($0.strategy)`: \($0.text).\n" } ?? ""
        return """

            <details><summary>Why document reads were billed</summary>

            \(table.rendered)
            \(sentences)\(remedy)</details>

            """
    }

    private var screensSection: String {
        guard screenBytes != nil else { return "" }
        let tables = [screenBytes, screenReads, screenHits].compactMap(\.self).map { table in
            var rendered = MarkdownTable(heading: table.heading)
            for row in table.rows { rendered.add(row) }
            return rendered.rendered
        }
        let note = screenHits == nil ? "" : "\nCache hits: \(hitsExplanation).\n"
        return """

            <details><summary>By screen</summary>

            \(tables.joined(separator: "\n"))\(note)
            </details>

            """
    }

    private var findingsSection: String {
        guard let baseline = examined, !baseline.findings.isEmpty else { return "" }
        let items = baseline.findings.map { finding in
            let objects = finding.topObjects.prefix(2).map { "`\($0.name)`" }.joined(separator: ", ")
            let top = objects.isEmpty ? "" : " Top objects: \(objects)."
            return "- \(finding.sentence(in: baseline).markdownCell)\(top)\n"
        }
        let all = baseline.remedyOfAll.map { "- All of it together: \($0.text(insteadOf: baseline).markdownCell).\n" }
        return """

            <details><summary>\(examinedHeading("What").markdownCell)</summary>

            \(items.joined())\(all ?? "")
            </details>

            """
    }
}
