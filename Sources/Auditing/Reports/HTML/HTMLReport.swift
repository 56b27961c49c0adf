// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// A report as one page for people: charts and tables, light and dark, for phones too; it loads nothing.
struct HTMLReport {
    let report: ReplayReport

    /// The page.
    var html: String {
        let title = report.log.split(separator: "/").last.map(String.init) ?? report.log
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>What \(title) downloads</title>
            <style>
            \(HTML.raw(String(decoding: PackageResources.report_css, as: UTF8.self)))</style>
            </head>
            <body>
            <main>
            <h1>What \(title) downloads</h1>
            <p class="soft">\(subtitle)</p>
            \(tiles)
            \(inferredSection)
            \(HTML.join(sections))
            <footer class="soft">\(footer)</footer>
            </main>
            </body>
            </html>

            """
        return page.source
    }

    private var sections: [HTML] {
        [
            costSection, budgetSection, comparisonSection, findingsSection, screensSection, bytesSection, readsSection,
            timesSection, waterfallSection, curveSection,
        ].compactMap(\.self)
    }

    private var subtitle: String {
        "\(Figure.counted(Int64(report.viewCount), noun: "view")) of \(Figure.counted(Int64(report.clientCount), noun: "user")), replayed with "
            + Figure.counted(Int64(report.outcomes.count), noun: "strategy", plural: "strategies")
    }

    private var footer: String {
        let times =
            report.outcomes.contains { $0.simulated != nil }
            ? " Times are modelled for \(report.networkTitle), not measured." : ""
        return "Prices and free amounts: profile \(report.profile.name) as of \(report.profile.asOf)." + times
            + " Megabytes are decimal. What is oversized is estimated by its pixels."
    }

    private var inferredSection: HTML? {
        guard let imported = report.imported else { return nil }
        let items = HTML.join(imported.assumptions.map { "<li>\($0)</li>" }, separator: "")
        let note =
            "The views were inferred from \(Figure.counted(imported.downloadCount, noun: "download")), "
            + "\(Figure.bytes(imported.byteCount)); \(imported.reach)."
        let heading =
            report.hasRecorded
            ? "The first row is what really happened, the others are inferred" : "Every figure is inferred"
        return .section(heading, note: note, content: "<ul class=\"soft\">\(items)</ul>")
    }
}

extension HTMLReport {
    var budgetSection: HTML? {
        guard let budget = report.budget else { return nil }
        let rows = budget.verdicts.sorted { !$0.isKept && $1.isKept }.map { verdict -> [HTML] in
            let limit = verdict.limit.map { " (\($0))" } ?? ""
            return [
                "\(verdict.bound)", .verdict(verdict.isKept ? "kept" : "broken", isGood: verdict.isKept),
                HTML.breakable(verdict.strategy), "\(verdict.figure + limit)", "\(verdict.line)",
            ]
        }
        let kept = budget.verdicts.count - budget.breaches.count
        return .section(
            "Budget: \(kept) of \(Figure.counted(Int64(budget.verdicts.count), noun: "bound")) kept",
            note: budget.path,
            content: HTML.table(["bound", "verdict", "strategy", "figure", "line"], rows: rows)
        )
    }

    var comparisonSection: HTML? {
        guard let comparison = report.comparison else { return nil }
        let rows = comparison.shownChanges.map { [$0.strategy, $0.figure] + $0.cells }
        let note = comparison.notes.joined(separator: "; ") + "."
        let table = HTML.table(["strategy", "figure", "former", "now", "change", "ratio"], rows: rows)
        return .section("Against \(comparison.path)", note: note, content: rows.isEmpty ? "" : table)
    }
}
