// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
package import SessionLog

/// What the strategies cost, side by side; the first is the baseline.
package struct ReplayReport: Sendable, Hashable {
    /// The log's path, as it was given.
    package let log: String
    /// The number of users in the log.
    package let clientCount: Int
    /// The number of views in the log.
    package let viewCount: Int
    /// The quota that the downloads are held against.
    package let profile: PriceProfile
    /// The network of the times.
    package let network: Network
    /// The strategies' outcomes.
    package let outcomes: [StrategyOutcome]

    /// Creates a report on the replays of a session.
    ///
    /// - Parameters:
    ///   - log: The log's path, to be shown.
    ///   - session: The log.
    ///   - profile: The quota that the downloads are held against.
    ///   - network: The network that the times were modelled for.
    ///   - outcomes: The strategies' outcomes, the baseline first.
    package init(
        log: String,
        session: SessionLog,
        profile: PriceProfile = .spark2023,
        network: Network = .default,
        outcomes: [StrategyOutcome]
    ) {
        self.log = log
        clientCount = Set(session.views.map(\.client)).count
        viewCount = session.views.count
        self.profile = profile
        self.network = network
        self.outcomes = outcomes
    }

    /// Body bytes of an outcome as a share of the baseline's; `nil` when the baseline moved none.
    func ratioToBaseline(_ outcome: StrategyOutcome) -> Double? {
        guard let baseline = outcomes.first?.usage.sent.body, baseline > 0 else { return nil }
        return Double(outcome.usage.sent.body) / Double(baseline)
    }
}
