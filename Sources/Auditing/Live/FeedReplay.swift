// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
package import Metering
package import SessionLog

/// Replays a session's views through FeedClient against a running emulator, once for each strategy.
///
/// The bytes and requests are the meter's; they must equal what the clients counted on their side of the sockets.
package struct FeedReplay: Sendable {
    /// The result of a strategy's replay.
    package struct Result: Sendable {
        /// The figures.
        package let outcome: StrategyOutcome
        /// The requests of each step, in the order of the steps.
        package let tape: [[TapedRequest]]
    }

    private let log: SessionLog
    /// The posts of inferred views.
    private let recorded: RecordedFeed?
    /// Usage that no view explains, by service.
    private let other: [UsageAttribution.Service: UsageTotals]
    private let console: ConsoleClient
    private let onProgress: @Sendable (ReplayProgress) -> Void

    /// Creates a replay of a log against the emulator behind a console.
    ///
    /// Inferred views show the posts of a recorded feed; their lists, and usage that no view explains (`other`), are taken from
    /// the log.
    package init(
        log: SessionLog,
        recorded: RecordedFeed? = nil,
        other: [UsageAttribution.Service: UsageTotals] = [:],
        console: ConsoleClient,
        onProgress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) {
        self.log = log
        self.recorded = recorded
        self.other = other
        self.console = console
        self.onProgress = onProgress
    }

    /// Measures the strategies one after the other.
    ///
    /// - Throws: ``AuditError``; one about a view names it by its number, from 1, and its client.
    package func outcomes(of strategies: [Strategy]) async throws -> [StrategyOutcome] {
        var outcomes: [StrategyOutcome] = []
        for strategy in strategies { outcomes.append(try await result(of: strategy).outcome) }
        return outcomes
    }

    /// Measures a strategy.
    package func result(of strategy: Strategy) async throws -> Result {
        guard strategy.listReading == .query else { throw AuditError.onlySimulated(strategy.name) }
        guard let feed = log.header.feed ?? (recorded == nil ? nil : RecordedFeed.address) else {
            throw AuditError.noFeed
        }
        guard !log.views.isEmpty else { throw AuditError.noViews }
        let plan = ReplayPlan(log, strategy: strategy)
        let workspace = ReplayWorkspace(
            strategy: strategy,
            endpoint: try await console.endpoint(of: feed),
            pageSize: plan.paging.pageSize,
            recorded: recorded
        )
        defer { workspace.removeFiles() }
        let mark = try await console.mark()
        let (counts, tape) = try await perform(plan, in: workspace)
        let (usage, billed) = try await console.usage(since: mark)
        guard usage.requests == counts.requests, usage.sent.body == counts.bodyBytes else {
            throw AuditError.mismatch(strategy.name, client: counts, meter: usage)
        }
        let share = RecordedShare(of: plan, strategy: strategy, other: other)
        return Result(
            outcome: share.added(to: usage, billed: billed, counts: counts, of: strategy),
            tape: tape
        )
    }

    /// Takes the views in the order of the log, each with its client's own app.
    private func perform(
        _ plan: ReplayPlan,
        in workspace: ReplayWorkspace
    ) async throws -> (ClientCounts, [[TapedRequest]]) {
        var clients: [String: ReplayClient] = [:]
        var tape: [[TapedRequest]] = []
        for step in plan.steps {
            let (name, time) = (step.view.client, plan.paging.time(of: step.view))
            let client = try clients[name] ?? workspace.makeClient(name, startingAt: time)
            clients[name] = client
            try await client.perform(step.view, at: time, number: step.number)
            tape.append(client.tape.takeTape())
            let subject = workspace.strategy.name
            onProgress(ReplayProgress(subject: subject, done: step.number, total: log.views.count))
        }
        var counts = ClientCounts()
        for client in clients.values { await client.add(to: &counts) }
        return (counts, tape)
    }
}
