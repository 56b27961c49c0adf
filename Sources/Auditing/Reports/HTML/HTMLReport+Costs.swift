// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension HTMLReport {
    var costSection: HTML? {
        let costs = report.cells(report.costColumns)
        guard costs.heading.count > 1 else { return nil }
        let hasPrices = report.outcomes.contains { report.forecast($0).hasPrices }
        let bill = report.cells((hasPrices ? [.month] : []) + [.body, .ratioToBaseline, .documentReads])
        let free = FreeAmount.all(in: report)
        let shares: HTML = .folded(
            "Share of each free amount that is used",
            content: HTML.table(costs.heading, rows: costs.rows)
        )
        return .section(
            "What a month costs",
            note:
                "Bytes and reads of the log" + (hasPrices ? "; prices of 30 days, " : "; free amounts ")
                + "for \(Figure.count(report.dailyUserCount)) daily users who do as the log's.",
            content: """
                \(HTML.table(bill.heading, rows: bill.rows))
                \(free.isEmpty ? "" : freeAmounts(free))\(free.isEmpty ? "" : shares)
                """
        )
    }

    private func freeAmounts(_ amounts: [FreeAmount]) -> HTML {
        let items = amounts.map { amount -> HTML in
            let lines = amount.lines.map { line -> HTML in
                "<dt>\(HTML.breakable(line.strategy))</dt><dd>\(HTML.verdict(line.text, isGood: line.isEnough))</dd>"
            }
            return "<div class=\"free\"><b>\(amount.title)</b><dl>\(HTML.join(lines, separator: ""))</dl></div>"
        }
        return """
            <h3>How long the free amounts last, for \(Figure.count(report.dailyUserCount)) daily users</h3>
            \(HTML.join(items))
            """
    }
}
