// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering
import SessionLog

extension ReplayReport {
    /// The report as JSON of schema `firemeter.report/1`, its keys sorted: the same report gives the same bytes.
    package func json() throws -> String { try JSONReport.text(of: ReportJSON(self)) }
}

private struct ReportJSON: Encodable {
    struct Profile: Encodable {
        let name: String
        let asOf: String
    }

    /// What was inferred, from how much, and on which assumptions.
    struct Inferred: Encodable {
        let downloads: Int64
        let bytes: Int64
        let assumptions: [String]
    }

    struct Net: Encodable {
        let name: String
        let title: String
        let source: String
    }

    let schema = ReplayReport.schema
    let log: String
    let clients: Int
    let views: Int
    let profile: Profile
    let network: Net?
    let inferred: Inferred?
    let strategies: [StrategyJSON]
    let comparison: ComparisonJSON?
    let budget: BudgetJSON?

    init(_ report: ReplayReport) {
        log = report.log
        clients = report.clientCount
        views = report.viewCount
        profile = Profile(name: report.profile.name, asOf: report.profile.asOf)
        let network = Net(name: report.network.name, title: report.network.title, source: report.network.source)
        self.network = report.outcomes.contains { $0.simulated != nil } ? network : nil
        inferred = report.imported.map {
            Inferred(downloads: $0.downloadCount, bytes: $0.byteCount, assumptions: $0.assumptions)
        }
        comparison = report.comparison.map(ComparisonJSON.init)
        budget = report.budget.map(BudgetJSON.init)
        strategies = report.outcomes.map { StrategyJSON($0, in: report) }
    }
}

private struct StrategyJSON: Encodable {
    struct Bytes: Encodable {
        let body: Int64
        let wire: Int64
    }

    struct Cache: Encodable {
        let hits: Int64
        let misses: Int64
        let hitRatio: Double
        let byteHitRatio: Double
    }

    /// Milliseconds.
    struct Time: Encodable {
        struct Percentiles: Encodable {
            let p50: Double
            let p95: Double

            init?(_ histogram: TimeHistogram) {
                guard let p50 = histogram.milliseconds(atPercent: 50), let p95 = histogram.milliseconds(atPercent: 95)
                else { return nil }
                (self.p50, self.p95) = (p50, p95)
            }
        }

        let layout: Percentiles?
        let firstImage: Percentiles?
        let complete: Percentiles?

        init(_ times: ViewTimes) {
            layout = Percentiles(times.layout)
            firstImage = Percentiles(times.firstImage)
            complete = Percentiles(times.complete)
        }
    }

    struct View: Encodable {
        struct Bytes: Encodable { let body: Int64 }

        let count: Int64
        let requests: Int64
        let bytes: Bytes
        let time: Time

        init(_ view: SimulatedFigures.View) {
            count = view.count
            requests = view.requestCount
            bytes = Bytes(body: view.byteCount)
            time = Time(view.times)
        }
    }

    struct Cost: Encodable {
        let dailyUsers: Int64
        let usdPerMonth: Decimal
        let usdPerMonthAndThousandDailyUsers: Decimal
        let usdPerUserDay: Decimal
    }

    struct Quota: Encodable {
        struct Item: Encodable {
            let percent: Double
            let period: String
            let runsOutOnDay: Int64?
        }

        let downloadPercentPerDay: Double?
        /// For the daily users of the cost.
        let items: [String: Item]
    }

    let name: String
    let requests: Int64
    let bytes: Bytes
    let billed: BilledUsage
    let cache: Cache
    let time: Time?
    let cost: Cost?
    let quota: Quota
    let waste: [String: Int64]?
    let wastedBytes: Int64?
    let views: [String: View]?
    let findings: [FindingJSON]?
    let remedyOfAll: FindingJSON.Remedy?
    let ratioToBaseline: Double?

    init(_ outcome: StrategyOutcome, in report: ReplayReport) {
        name = outcome.strategy.name
        requests = outcome.usage.requests
        bytes = Bytes(body: outcome.usage.sent.body, wire: outcome.wireBytes)
        billed = outcome.usage.billed
        cache = Cache(
            hits: outcome.counts.cacheHits,
            misses: outcome.counts.cacheMisses,
            hitRatio: outcome.hitRatio,
            byteHitRatio: outcome.byteHitRatio
        )
        time = outcome.simulated.map { Time($0.allTimes) }
        let forecast = report.forecast(outcome)
        cost =
            forecast.hasPrices
            ? Cost(
                dailyUsers: report.dailyUserCount,
                usdPerMonth: Bill.cents(forecast.usdPerMonth),
                usdPerMonthAndThousandDailyUsers: Bill.cents(forecast.usdPerMonth(dailyUserCount: 1_000)),
                usdPerUserDay: forecast.usdPerUserDay
            ) : nil
        let items = forecast.quotas.map { quota in
            let item = Quota.Item(
                percent: quota.percent,
                period: quota.period.rawValue,
                runsOutOnDay: quota.runsOutOnDay
            )
            return (quota.item.rawValue, item)
        }
        quota = Quota(
            downloadPercentPerDay: report.downloadPercent(outcome),
            items: Dictionary(uniqueKeysWithValues: items)
        )
        waste = outcome.simulated.map { simulated in
            let amounts = DownloadCause.allCases.map { ($0.rawValue, simulated.causes.amount(of: $0).byteCount) }
            return Dictionary(uniqueKeysWithValues: amounts)
        }
        wastedBytes = outcome.simulated?.causes.wastedByteCount
        views = outcome.simulated.map { simulated in
            Dictionary(uniqueKeysWithValues: simulated.views.map { ($0.key.rawValue, View($0.value)) })
        }
        findings = outcome.simulated == nil ? nil : outcome.findings.map(FindingJSON.init)
        remedyOfAll = outcome.remedyOfAll.map(FindingJSON.Remedy.init)
        ratioToBaseline = report.ratioToBaseline(outcome)
    }
}
