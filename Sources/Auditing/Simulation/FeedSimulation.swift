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
    private let onProgress: @Sendable (ReplayProgress) -> Void

    /// Creates a simulation of a log over what its servers answer; times are those of a network.
    package init(
        log: SessionLog,
        answeredBy server: any FirebaseAnswering,
        network: Network = .default,
        display: DisplaySizes = .default,
        rules: LinkRules = LinkRules(),
        onProgress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) throws(AuditError) {
        self.network = network
        self.rules = rules
        self.display = display
        self.onProgress = onProgress
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
        var views: [SessionView.Kind: SimulatedFigures.View] = [:]
        for step in plan.steps {
            let now = max(plan.time(of: step.view), latest[step.view.client] ?? .min)
            latest[step.view.client] = now
            var client =
                clients[step.view.client]
                ?? SimulatedClient(strategy, catalog: catalog, pageSize: plan.pageSize, now: now)
            do {
                let led = try await client.perform(step.view.action, now: now)
                let before = tally.counts
                tally.add(led)
                causes.add(led, of: step.view)
                var link = links[step.view.client] ?? SimulatedLink(network, strategy, rules)
                let time = link.times(of: led, at: 1_000_000 * step.view.atMilliseconds)
                times.append(time)
                let kind = step.view.action.kind
                views[kind, default: SimulatedFigures.View()].add(tally.counts, since: before, time)
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
            onProgress(ReplayProgress(strategy: strategy, doneViewCount: step.number, viewCount: log.views.count))
        }
        return Result(
            outcome: StrategyOutcome(
                strategy: strategy,
                usage: tally.usage,
                billed: tally.billed,
                counts: tally.counts,
                simulated: SimulatedFigures(views: views, causes: causes.finished())
            ),
            tape: tally.tape,
            times: times
        )
    }
}

extension SimulatedFigures.View {
    fileprivate mutating func add(_ counts: ClientCounts, since before: ClientCounts, _ time: ViewTime?) {
        count += 1
        requestCount += counts.requests - before.requests
        byteCount += counts.bodyBytes - before.bodyBytes
        times.add(time)
    }
}
