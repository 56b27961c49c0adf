// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension HTMLReport {
    var burnDownSection: HTML? {
        BurnDown(of: report).map { .section("What is left for free", $0.note, $0.chart.html) }
    }

    var costSection: HTML? {
        let forecasts = report.outcomes.map(report.forecast)
        let hasPrices = forecasts.contains(where: \.hasPrices)
        let items = report.profile.charges.map(\.item).filter { item in
            forecasts.contains { $0.quotas.contains { $0.item == item } }
        }
        guard hasPrices || !items.isEmpty else { return nil }
        let rows = zip(report.outcomes, forecasts).map { outcome, forecast in
            [
                outcome.strategy.name, Figure.count(outcome.usage.requests),
                Figure.count(outcome.usage.billed.documentReads),
            ] + (hasPrices ? [Figure.dollars(Bill.cents(forecast.usdPerMonth))] : [])
                + items.map { item in forecast.quotas.first { $0.item == item }.map(ReplayReport.share) ?? "-" }
        }
        return .section(
            "What a month costs",
            "Requests and reads of the log, and for \(Figure.count(report.dailyUserCount)) daily users who do as the log's: "
                + (hasPrices ? "a month of 30 days, and " : "")
                + "how much of what is free by the day or month is used.",
            HTML.table(
                ["strategy", "requests", "document reads"] + (hasPrices ? ["a month"] : []) + items.map(\.heading),
                rows
            )
        )
    }
}
