// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering

extension ReplayReport {
    /// What a month would cost, and how much of what is free would be gone; empty where the profile knows neither.
    var costTable: String {
        let forecasts = outcomes.map(forecast)
        let items = profile.charges.map(\.item).filter { item in
            forecasts.contains { $0.quotas.contains { $0.item == item } }
        }
        let hasPrices = forecasts.contains(where: \.hasPrices)
        guard !items.isEmpty || hasPrices else { return "" }
        var table = TextTable(heading: ["strategy"] + (hasPrices ? ["a month"] : []) + items.map(\.heading))
        for (outcome, forecast) in zip(outcomes, forecasts) {
            let shares = items.map { item in forecast.quotas.first { $0.item == item }.map(Self.share) ?? "-" }
            let cost = hasPrices ? [Figure.dollars(Bill.cents(forecast.usdPerMonth))] : []
            table.add([outcome.strategy.name] + cost + shares)
        }
        let priced = hasPrices ? "a month      of 30 days\n" : ""
        return """

            \(table.rendered)

            for \(Figure.count(dailyUserCount)) daily users who do as the log's, profile \(profile.name) as of \(profile.asOf)
            \(priced)shares       of what is free by the day, or the month and the day of it on which it runs out

            """
    }

    /// How much of a free amount is used.
    static func share(_ quota: Forecast.Quota) -> String {
        let percent = quota.percent < 100 ? Figure.percent(quota.percent) : Figure.wholePercent(quota.percent)
        guard quota.period == .month else { return percent }
        return percent + " month" + (quota.runsOutOnDay.map { ", day \($0)" } ?? "")
    }
}

extension BillableItem {
    /// The item as the head of a column.
    var heading: String {
        switch self {
        case .storageEgressBytes: "download"
        case .storageClassA: "class A"
        case .storageClassB: "class B"
        case .firestoreEgressBytes: "doc bytes"
        case .documentReads: "doc reads"
        case .documentWrites: "doc writes"
        case .documentDeletes: "doc deletes"
        case .firestoreStoredBytes: "doc storage"
        }
    }
}
