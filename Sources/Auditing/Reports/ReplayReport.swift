// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
import SessionLog

/// The costs of strategies, side by side; the first is the baseline.
package struct ReplayReport: Sendable {
    /// The schema of reports as JSON.
    static let schema = "firemeter.report/1"
    /// The daily users that costs are given for by default.
    package static let dailyUserCountDefault: Int64 = 1_000

    /// The session.
    let session: AuditedSession
    /// The quota that the downloads are compared with.
    package let profile: PriceProfile
    /// The daily users that costs are given for.
    package let dailyUserCount: Int64
    /// The network of the times.
    package let network: Network
    /// The strategies' outcomes.
    package let outcomes: [StrategyOutcome]
    /// The misses of caches of growing sizes; `nil` where it was not asked for.
    package let curves: ImageCurves?
    /// How it stands to a former report, if it was compared with one.
    var comparison: ReportComparison?
    /// How a budget is kept, if there is one.
    var budget: Judgement?

    /// Creates a report on the replays of a session.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - profile: The quota that the downloads are compared with.
    ///   - dailyUserCount: The daily users that costs are given for.
    ///   - network: The network that the times were modelled for.
    ///   - outcomes: The strategies' outcomes, the baseline first.
    ///   - curves: What caches of growing sizes would miss.
    package init(
        session: AuditedSession,
        profile: PriceProfile = .spark2023,
        dailyUserCount: Int64 = ReplayReport.dailyUserCountDefault,
        network: Network = .default,
        outcomes: [StrategyOutcome],
        curves: ImageCurves? = nil
    ) {
        self.session = session
        self.profile = profile
        self.network = network
        self.dailyUserCount = dailyUserCount
        self.outcomes = outcomes
        self.curves = curves
    }

    /// The log's path, as it was given.
    var log: String { session.log }
    /// The number of users in the log.
    var clientCount: Int { session.clientCount }
    /// The number of views in the log.
    var viewCount: Int { session.viewCount }
    /// The days that the log covers, each begun one counted.
    var dayCount: Int64 { session.dayCount }
    /// The source of a log whose views were inferred.
    var imported: SessionHeader.Imported? { session.imported }

    /// The network and what it is like, as people read it.
    var networkTitle: String {
        let megabits = Figure.decimal(Double(network.downBitsPerSecond) / 1_000_000)
        let roundTrip = Figure.milliseconds(Double(network.roundTrip) / 1_000_000)
        return "\(network.title) (\(megabits) Mbit/s, round trip \(roundTrip))"
    }

    /// The share of a day's free downloads that the log's users took, in percent; `nil` where none are free by the day.
    ///
    /// Documents are not downloads: Firestore's bytes have a free amount of their own.
    func downloadPercent(_ outcome: StrategyOutcome) -> Double? {
        profile.downloadPercent(of: outcome.billed.amount(of: .storageEgressBytes))
    }

    /// The cost of an outcome by the profile.
    func forecast(_ outcome: StrategyOutcome) -> Forecast {
        Forecast(
            outcome.billed,
            profile: profile,
            userDayCount: max(1, Int64(clientCount)) * dayCount,
            dailyUserCount: dailyUserCount
        )
    }

    /// Body bytes of an outcome as a share of the baseline's; `nil` when the baseline moved none.
    func ratioToBaseline(_ outcome: StrategyOutcome) -> Double? {
        guard let baseline = outcomes.first?.usage.sent.body, baseline > 0 else { return nil }
        return Double(outcome.usage.sent.body) / Double(baseline)
    }
}
