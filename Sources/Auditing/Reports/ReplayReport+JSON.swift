// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metering

extension ReplayReport {
    /// The report as JSON of schema `firemeter.report/1`, its keys sorted: the same report gives the same bytes.
    package func json() throws -> String { try JSONReport.text(of: ReportJSON(self)) }
}

private struct ReportJSON: Encodable {
    struct Profile: Encodable {
        let name: String
        let asOf: String
    }

    let schema = "firemeter.report/1"
    let log: String
    let clients: Int
    let views: Int
    let profile: Profile
    let strategies: [StrategyJSON]

    init(_ report: ReplayReport) {
        log = report.log
        clients = report.clientCount
        views = report.viewCount
        profile = Profile(name: report.profile.name, asOf: report.profile.asOf)
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

    struct Quota: Encodable {
        let downloadPercentPerDay: Double
    }

    let name: String
    let requests: Int64
    let bytes: Bytes
    let billed: BilledUsage
    let cache: Cache
    let quota: Quota
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
        quota = Quota(downloadPercentPerDay: report.profile.downloadPercent(of: outcome.usage.sent.body) ?? 0)
        ratioToBaseline = report.ratioToBaseline(outcome)
    }
}
