// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering
package import SessionLog

/// Replays a session's views through FeedClient against a running emulator, once for each strategy.
///
/// The bytes and requests are the meter's; they must equal what the clients counted on their side of the sockets.
package struct FeedReplay: Sendable {
    /// The posts of a page when the log does not say.
    package static let pageSizeDefault = 8

    private let log: SessionLog
    private let console: ConsoleClient
    private let onProgress: @Sendable (ReplayProgress) -> Void

    /// Creates a replay of a log against the emulator behind a console.
    package init(
        log: SessionLog,
        console: ConsoleClient,
        onProgress: @escaping @Sendable (ReplayProgress) -> Void = { _ in }
    ) {
        self.log = log
        self.console = console
        self.onProgress = onProgress
    }

    /// Measures the strategies one after the other.
    ///
    /// - Throws: ``AuditError``; one about a view names it by its number, from 1, and its client.
    package func outcomes(of strategies: [Strategy]) async throws -> [StrategyOutcome] {
        guard let feed = log.header.feed else { throw AuditError.noFeed }
        guard !log.views.isEmpty else { throw AuditError.noViews }
        let endpoint = try await console.endpoint(of: feed)
        var outcomes: [StrategyOutcome] = []
        for strategy in strategies {
            outcomes.append(try await outcome(of: strategy, at: endpoint))
        }
        return outcomes
    }

    private func outcome(of strategy: Strategy, at endpoint: FeedEndpoint) async throws -> StrategyOutcome {
        let pageSize = log.header.pageSize ?? Self.pageSizeDefault
        let workspace = ReplayWorkspace(strategy: strategy, endpoint: endpoint, pageSize: pageSize)
        defer { workspace.removeFiles() }
        let mark = try await console.mark()
        let counts = try await perform(log.views, in: workspace)
        let usage = try await console.usage(since: mark)
        guard usage.requests == counts.requests, usage.sent.body == counts.bodyBytes else {
            throw AuditError.mismatch(strategy.name, client: counts, meter: usage)
        }
        return StrategyOutcome(strategy: strategy, usage: usage, counts: counts)
    }

    /// Takes the views in the order of the log, each with its client's own app.
    private func perform(_ views: [SessionView], in workspace: ReplayWorkspace) async throws -> ClientCounts {
        var clients: [String: ReplayClient] = [:]
        for (index, view) in views.enumerated() {
            let client = try clients[view.client] ?? workspace.makeClient(view.client)
            clients[view.client] = client
            try await client.perform(view, step: index + 1)
            onProgress(
                ReplayProgress(strategy: workspace.strategy, doneViewCount: index + 1, viewCount: views.count)
            )
        }
        var counts = ClientCounts()
        for client in clients.values { await client.add(to: &counts) }
        return counts
    }
}
