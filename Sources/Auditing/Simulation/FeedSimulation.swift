// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation
import FeedClient
package import Metering
import SessionLog

/// Simulates a session's views in virtual time, without a socket: the same requests and body bytes as ``FeedReplay``.
///
/// Users do not meet: each is simulated from their first view to their last, on as many cores as there are.
package struct FeedSimulation: Sendable {
    /// The result of a strategy's simulation.
    package struct Result: Sendable {
        /// The figures.
        package let outcome: StrategyOutcome
        /// The requests of each step, in the order of the views.
        package let tape: [[TapedRequest]]
    }

    private let sessions: SessionGroups
    private let catalog: FeedCatalog
    /// Whether smaller copies of images can be had, or how large they are is known.
    private let hasCopies: Bool
    private let network: Network
    private let rules: LinkRules
    /// Usage that no view explains, by service.
    private let other: [UsageAttribution.Service: UsageTotals]
    private let display: DisplaySizes
    private let onProgress: @Sendable (ReplayProgress) -> Void

    /// Creates a simulation of users over what their servers answer, or over the images of the log itself; times are those of a
    /// network.
    ///
    /// Inferred views show the posts of a recorded feed; usage that no view explains, `other`, is added to each strategy.
    package init(
        of sessions: SessionGroups,
        recorded: RecordedFeed? = nil,
        other: [UsageAttribution.Service: UsageTotals] = [:],
        answeredBy server: (any FirebaseAnswering)?,
        network: Network = .default,
        display: DisplaySizes = .default,
        rules: LinkRules = LinkRules(),
        onProgress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) throws(AuditError) {
        guard !sessions.isEmpty else { throw AuditError.noViews }
        if let server, recorded == nil {
            guard let feed = sessions.header.feed else { throw AuditError.noFeed }
            catalog = FeedCatalog(of: feed, answeredBy: server)
            hasCopies = true
        } else {
            let feed = recorded ?? RecordedFeed(of: sessions.images)
            catalog = FeedCatalog(of: feed, answeredBy: server)
            hasCopies = server != nil || feed.knowsPixels
        }
        self.network = network
        self.rules = rules
        self.display = display
        self.onProgress = onProgress
        self.sessions = sessions
        self.other = other
    }

    /// Simulates a strategy, and keeps its requests.
    ///
    /// - Throws: ``AuditError``; one about a view names it by its number, from 1, and its client.
    package func result(of strategy: Strategy) async throws -> Result {
        let sums = try await sums(of: [strategy], extent: .taped)
        return Result(outcome: try sums.outcome(of: strategy, adding: other), tape: sums.tape)
    }

    /// Simulates strategies, all of them user by user.
    ///
    /// - Throws: ``AuditError``; one about a view names it by its number, from 1, and its client.
    package func outcomes(of strategies: [Strategy]) async throws -> [StrategyOutcome] {
        try await outcomesAndTracedViews(of: strategies).outcomes
    }

    /// Simulates strategies, and says which views of the log are drawn.
    ///
    /// - Throws: ``AuditError``; one about a view names it by its number, from 1, and its client.
    package func outcomesAndTracedViews(
        of strategies: [Strategy]
    ) async throws -> (outcomes: [StrategyOutcome], traced: TracedViews?) {
        let sums = try await sums(of: strategies, extent: .figures)
        return (try strategies.map { try sums.outcome(of: $0, adding: other) }, sums.traced)
    }

    /// The bytes of the bodies that a strategy downloads that was never requested; `nil` where an image has no smaller copy.
    package func byteCount(trying strategy: Strategy) async throws -> Int64? {
        try await byteCounts(trying: [strategy])[0]
    }

    /// The bytes of the bodies that each of some strategies downloads; `nil` where an image has no smaller copy.
    package func byteCounts(trying strategies: [Strategy]) async throws -> [Int64?] {
        let sums = try await sums(of: strategies, extent: .usage)
        return try strategies.map { strategy in
            do {
                return try sums.outcome(of: strategy, adding: other).usage.sent.body
            } catch let error as AuditError where error.code == .imageMissing && strategy.resizedVariant != nil {
                return nil
            }
        }
    }

    private func sums(of strategies: [Strategy], extent: StrategySimulation.Extent) async throws -> SimulationSums {
        let run = SimulationRun(try strategies.map { try simulation(of: $0, extent: extent) })
        let done = Locked(0)
        let total = sessions.count * strategies.count
        let subject = strategies.count == 1 ? strategies[0].name : "\(strategies.count) strategies"
        let runs = try await sessions.onAllCores(startingWith: run) { run, users in
            try await run.add(users) {
                let done = done.withLock { done in
                    done += 1
                    return done
                }
                onProgress(ReplayProgress(subject: subject, done: done, total: total))
            }
        }
        let sums = runs.map { $0.sums() }
        return sums.dropFirst().reduce(into: sums[0]) { $0.add($1) }
    }

    private func simulation(
        of strategy: Strategy,
        extent: StrategySimulation.Extent = .usage
    ) throws(AuditError) -> StrategySimulation {
        guard strategy.resizedVariant == nil || hasCopies else { throw .copiesUnknown(strategy.name) }
        return StrategySimulation(
            strategy,
            of: sessions.header,
            catalog: catalog,
            extent: extent,
            network: network,
            display: display,
            rules: rules
        )
    }
}

extension FeedSimulation {
    /// The images that each user's app asks for, whether or not a cache has them, as traces for caches of any size.
    ///
    /// Where the trace is kept over a relaunch, it continues when the app is started again, as a cache on disk does.
    package func imageTraces(of strategy: Strategy, isKeptOverRelaunch: Bool = true) async throws -> ImageTraces {
        let traces = try await traced(strategy, startingWith: ImageTraces()) { traces, asked, user, simulation in
            traces.add(asked, of: user, isKeptOverRelaunch: isKeptOverRelaunch, text: simulation.text)
        }
        return traces.dropFirst().reduce(into: traces[0]) { $0.add($1) }
    }

    /// The misses of caches of growing sizes, for the images that a strategy asks for; `nil` where it asks for none.
    package func curves(of strategy: Strategy, _ extent: ImageCurves.Extent = .drawn) async throws -> ImageCurves? {
        let summaries = try await traced(strategy, startingWith: TraceSummary()) { summary, asked, _, _ in
            for trace in asked.traces(isKeptOverRelaunch: true) { try summary.add(trace) }
        }
        let summary = summaries.reduce(into: TraceSummary()) { $0.add($1) }
        let curves = try await traced(strategy, startingWith: ImageCurves(strategy.name, of: summary, extent)) {
            curves,
            asked,
            _,
            _ in
            try curves?.add(asked.traces(isKeptOverRelaunch: true))
        }
        return curves.dropFirst().reduce(into: curves[0]) { whole, part in
            if let part { whole?.add(part) }
        }
    }

    /// Lets each user's app ask for the images that a strategy without caches asks for.
    private func traced<State: Sendable>(
        _ strategy: Strategy,
        startingWith state: State,
        _ take: @escaping @Sendable (inout State, AskedImages, String, StrategySimulation) throws -> Void
    ) async throws -> [State] {
        var bare = strategy
        (bare.memory, bare.disk) = (nil, nil)
        let start = (state, try simulation(of: bare))
        let states = try await sessions.onAllCores(startingWith: start) { state, users in
            for user in users {
                do {
                    let asked = try await state.1.images(askedForBy: user)
                    try take(&state.0, asked, user.client, state.1)
                } catch let failure as SimulationFailure {
                    throw failure.error
                }
            }
        }
        return states.map(\.0)
    }
}
