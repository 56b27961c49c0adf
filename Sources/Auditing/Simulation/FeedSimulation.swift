// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation
import FeedClient
package import Metering
package import SessionLog

/// Simulates a session's views in virtual time, without a socket: the same requests and body bytes as ``FeedReplay``.
package struct FeedSimulation: Sendable {
    /// The result of a strategy's simulation.
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
    /// Whether smaller copies of images can be had, or how large they are is known.
    private let hasCopies: Bool
    private let network: Network
    private let rules: LinkRules
    /// Usage that no view explains, by service.
    private let other: [UsageAttribution.Service: UsageTotals]
    private let display: DisplaySizes
    private let onProgress: @Sendable (ReplayProgress) -> Void

    /// Creates a simulation of a log over what its servers answer, or over the images of the log itself; times are
    /// those of a network.
    ///
    /// Inferred views show the posts of a recorded feed; usage that no view explains, `other`, is added to each strategy.
    package init(
        log: SessionLog,
        recorded: RecordedFeed? = nil,
        other: [UsageAttribution.Service: UsageTotals] = [:],
        answeredBy server: (any FirebaseAnswering)?,
        network: Network = .default,
        display: DisplaySizes = .default,
        rules: LinkRules = LinkRules(),
        onProgress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) throws(AuditError) {
        guard !log.views.isEmpty else { throw AuditError.noViews }
        if let server, recorded == nil {
            guard let feed = log.header.feed else { throw AuditError.noFeed }
            catalog = FeedCatalog(of: feed, answeredBy: server)
            hasCopies = true
        } else {
            let feed = recorded ?? RecordedFeed(of: log.images)
            catalog = FeedCatalog(of: feed, answeredBy: server)
            hasCopies = server != nil || feed.knowsPixels
        }
        self.network = network
        self.rules = rules
        self.display = display
        self.onProgress = onProgress
        self.log = log
        self.other = other
    }

    /// Simulates a strategy.
    ///
    /// - Throws: ``AuditError``; one about a view names it by its number, from 1, and its client.
    package func result(of strategy: Strategy) async throws -> Result {
        var tally = SimulationTally(other: other)
        var causes = CauseAttribution(of: log, display: display, variant: strategy.resizedVariant)
        var course = SimulationCourse(of: log, over: network, strategy: strategy, rules: rules)
        try await walk(strategy) { step, led in
            let before = tally.counts
            tally.add(led)
            causes.add(led, of: step.view)
            course.add(led, of: step, counts: tally.counts, since: before)
        }
        return Result(
            outcome: StrategyOutcome(
                strategy: strategy,
                usage: tally.usage,
                billed: tally.billed,
                counts: tally.counts,
                simulated: course.figures(causes.finished())
            ),
            tape: tally.tape,
            times: course.times
        )
    }

    /// The bytes of the bodies that a strategy downloads that were never requested; `nil` where an image has no smaller copy.
    package func byteCount(trying strategy: Strategy) async throws -> Int64? {
        do {
            return try await result(of: strategy).outcome.usage.sent.body
        } catch let error as AuditError where error.code == .imageMissing && strategy.resizedVariant != nil {
            return nil
        }
    }

    /// The images that each user's app asks for, whether or not a cache has them, as traces for caches of any size.
    ///
    /// Where the trace is kept over a relaunch, it continues when the app is started again, as a cache on disk does.
    package func imageTraces(of strategy: Strategy, isKeptOverRelaunch: Bool = true) async throws -> ImageTraces {
        var bare = strategy
        (bare.memory, bare.disk) = (nil, nil)
        var traces = ImageTraces()
        try await walk(bare) { step, led in
            if step.view.action == .relaunch, !isKeptOverRelaunch { traces.close(step.view.client) }
            for delivery in led.shown + led.prefetched where delivery.source != .failed {
                traces.append(delivery.key, byteCount: delivery.byteCount, client: step.view.client)
            }
        }
        return traces
    }

    /// Takes the steps of the log as a strategy does, each with its client's own app.
    private func walk(
        _ strategy: Strategy,
        _ body: (ReplayPlan.Step, SimulatedClient.Step) -> Void
    ) async throws {
        guard strategy.resizedVariant == nil || hasCopies else {
            throw AuditError.copiesUnknown(strategy.name)
        }
        let plan = ReplayPlan(log, strategy: strategy)
        var clients: [String: SimulatedClient] = [:]
        // As the live client's clock, a user's never runs backwards.
        var latest: [String: Int64] = [:]
        for step in plan.steps {
            let (name, time) = (step.view.client, plan.time(of: step.view))
            let now = max(time, latest[name] ?? .min)
            latest[name] = now
            // Taken out, so that its caches are changed in place.
            var client =
                clients.removeValue(forKey: name)
                ?? SimulatedClient(strategy, catalog: catalog, pageSize: plan.pageSize, now: now)
            do {
                body(step, try await client.perform(step.view.action, now: now))
            } catch let error as CancellationError {
                throw error
            } catch let error as FailedImage {
                throw AuditError.imageMissing(
                    error.subject,
                    status: error.exchange.status,
                    strategy: strategy,
                    step: step.number,
                    client: name
                )
            } catch {
                throw AuditError.viewFailed(step.number, client: name, error: error)
            }
            clients[name] = client
            onProgress(ReplayProgress(strategy: strategy, doneViewCount: step.number, viewCount: log.views.count))
        }
    }
}
