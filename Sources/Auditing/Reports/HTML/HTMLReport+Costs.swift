// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension HTMLReport {
    var burnDownSection: HTML? {
        BurnDown(of: report).map { .section("What is left for free", $0.note, $0.chart.html) }
    }

    var costSection: HTML? {
        let costs = report.cells(report.costColumns)
        guard costs.heading.count > 1 else { return nil }
        let hasPrices = report.outcomes.contains { report.forecast($0).hasPrices }
        let cells = report.cells([.requests, .documentReads] + report.costColumns)
        return .section(
            "What a month costs",
            "Requests and reads of the log, and for \(Figure.count(report.dailyUserCount)) daily users who do as the log's: "
                + (hasPrices ? "a month of 30 days, and " : "")
                + "how much of what is free by the day or month is used.",
            HTML.table(cells.heading, cells.rows)
        )
    }
}
