// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Prices and free amounts, by the report's profile.
extension ReportColumn {
    static let dailyUsers = cost("dailyUsers", title: "daily users", .count) { _, report in
        .whole(report.dailyUserCount)
    }

    static let month = cost("usdPerMonth", title: "a month", .dollars, short: "cost") { forecast, _ in
        .money(Bill.cents(forecast.usdPerMonth))
    }

    static let monthOfThousand = cost(
        "usdPerMonthAndThousandDailyUsers",
        title: "a month of 1,000 daily users",
        .dollars
    ) { forecast, _ in
        .money(Bill.cents(forecast.usdPerMonth(dailyUserCount: 1_000)))
    }

    static let userDay = cost("usdPerUserDay", title: "a user's day", .dollars) { forecast, _ in
        .money(forecast.usdPerUserDay)
    }

    /// A figure in dollars, where the profile has prices for what was used.
    private static func cost(
        _ key: String,
        title: String,
        _ unit: Unit,
        short: String? = nil,
        _ amount: @escaping @Sendable (Forecast, ReplayReport) -> Number
    ) -> Self {
        Self("cost", key, title: title, unit, short: short) { outcome, report in
            let forecast = report.forecast(outcome)
            return forecast.hasPrices ? amount(forecast, report) : nil
        }
    }

    // MARK: Free amounts

    /// The share of a day's free downloads, under a heading such as `1 GB/day`.
    static let dailyQuota: Self = {
        var column = Self("quota", "downloadPercentPerDay", title: "free downloads", .percent) { outcome, report in
            report.downloadPercent(outcome).map { .real($0) }
        }
        column.title = { report in report.freeDownloadsPerDay.map { "\($0)/day" } ?? "free downloads" }
        column.shortName = "quota.downloadPerDay"
        return column
    }()

    /// The share of an item's free amount, for the daily users of the costs.
    static func quota(of item: BillableItem) -> Self {
        figure(of: item, "percent", title: item.heading, .percent) { .real($0.percent) }
            .shown { outcome, report in quota(of: item, outcome: outcome, report: report).map(ReplayReport.share) }
    }

    /// The day of the month on which an item's free amount runs out.
    static func quotaEnd(of item: BillableItem) -> Self {
        figure(of: item, "runsOutOnDay", title: "\(item.heading) end", .count) { $0.runsOutOnDay.map { .whole($0) } }
    }

    private static func figure(
        of item: BillableItem,
        _ key: String,
        title: String,
        _ unit: Unit,
        _ number: @escaping @Sendable (Forecast.Quota) -> Number?
    ) -> Self {
        Self("quota", "items", item.rawValue, key, title: title, unit) { outcome, report in
            quota(of: item, outcome: outcome, report: report).flatMap(number)
        }
    }

    private static func quota(
        of item: BillableItem,
        outcome: StrategyOutcome,
        report: ReplayReport
    ) -> Forecast.Quota? {
        report.forecast(outcome).quotas.first { $0.item == item }
    }
}

extension ReplayReport {
    /// The downloads that are free each day, such as `1 GB`; `nil` where none are.
    var freeDownloadsPerDay: String? {
        profile.freePerDay(.storageEgressBytes).map(Figure.size)
    }

    /// The columns of the costs, the items in the order of the profile.
    var costColumns: [ReportColumn] {
        [.month] + profile.sessionCharges.map { .quota(of: $0.item) }
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
        case .tier1ActiveUsers: "users, tier 1"
        case .tier2ActiveUsers: "users, tier 2"
        case .smsMessages: "messages"
        }
    }
}
