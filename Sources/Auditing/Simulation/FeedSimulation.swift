// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
package import SessionLog

/// Simulates a session's views in virtual time, without a socket: the same requests and body bytes as ``FeedReplay``.
package struct FeedSimulation: Sendable {
    /// What a simulation of a strategy led to.
    package struct Result: Sendable {
        /// The figures.
        package let outcome: StrategyOutcome
        /// The requests of each view, in the order of the views.
        package let tape: [[TapedRequest]]
        /// How long each step took; `nil` for one that asked for nothing.
        package let times: [ViewTime?]
    }

    private let log: SessionLog
    private let catalog: FeedCatalog
    private let network: Network
    private let rules: LinkRules
    private let display: DisplaySizes

    /// Creates a simulation of a log over what its servers answer; times are those of a network.
    package init(
        log: SessionLog,
        answeredBy server: any FirebaseAnswering,
        network: Network = .default,
        display: DisplaySizes = .default,
        rules: LinkRules = LinkRules()
    ) throws(AuditError) {
        self.network = network
        self.rules = rules
        self.display = display
        guard let feed = log.header.feed else { throw AuditError.noFeed }
        guard !log.views.isEmpty else { throw AuditError.noViews }
        self.log = log
        catalog = FeedCatalog(of: feed, answeredBy: server)
    }

    /// Simulates a strategy.
    ///
    /// - Throws: ``AuditError``; one about a view names it by its number, from 1, and its client.
    package func result(of strategy: Strategy) async throws -> Result {
        let plan = ReplayPlan(log, strategy: strategy)
        var clients: [String: SimulatedClient] = [:]
        var links: [String: SimulatedLink] = [:]
        var times: [ViewTime?] = []
        // As the live client's clock, a user's never runs backwards.
        var latest: [String: Int64] = [:]
        var tally = SimulationTally()
        var causes = CauseAttribution(of: log, display)
        var timesByKind: [SessionView.Kind: ViewTimes] = [:]
        for step in plan.steps {
            let now = max(plan.time(of: step.view), latest[step.view.client] ?? .min)
            latest[step.view.client] = now
            var client =
                clients[step.view.client]
                ?? SimulatedClient(strategy, catalog: catalog, pageSize: plan.pageSize, now: now)
            do {
                let led = try await client.perform(step.view.action, now: now)
                tally.add(led)
                causes.add(led, of: step.view)
                var link = links[step.view.client] ?? SimulatedLink(network, strategy, rules)
                let time = link.times(of: led, at: 1_000_000 * step.view.atMilliseconds)
                times.append(time)
                timesByKind[step.view.action.kind, default: ViewTimes()].add(time)
                if step.view.action == .relaunch { link.close() }
                links[step.view.client] = link
            } catch let error as CancellationError {
                throw error
            } catch let error as FailedImage {
                throw AuditError.imageMissing(error.subject, error.exchange.status, step: step.number, client: step.view.client)
            } catch {
                throw AuditError.viewFailed(step.number, client: step.view.client, error)
            }
            clients[step.view.client] = client
        }
        return Result(
            outcome: StrategyOutcome(
                strategy: strategy,
                usage: tally.usage,
                billed: tally.billed,
                counts: tally.counts,
                simulated: SimulatedFigures(times: timesByKind, causes: causes.finished())
            ),
            tape: tally.tape,
            times: times
        )
    }
}
