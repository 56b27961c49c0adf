// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Auditing
import FeedClient
import Foundation
import SessionLog

/// A user's app whose images are timed as they come.
struct TimedUser {
    /// Milliseconds from the beginning of a view on.
    struct Times {
        var firstImage: Double?
        var complete: Double
    }

    private let session: FeedSession
    private let arrivals: Locked<[ContinuousClock.Instant]>

    init(_ strategy: Strategy, _ header: SessionHeader, _ urls: [URL]) throws {
        guard let feed = header.feed else { throw AuditError(code: .badData, description: "the log names no feed") }
        let endpoint = FeedEndpoint(
            firestore: urls[0],
            storage: urls[1],
            project: feed.project,
            database: feed.database,
            collection: feed.collection,
            bucket: feed.bucket
        )
        let transport = URLSessionTransport()
        let pipeline = try ImagePipeline(
            storage: endpoint.storage,
            transport: transport,
            configuration: .init(memory: strategy.memory.map { .init(byteCountMax: $0.byteCountMax) })
        )
        let arrivals = Locked<[ContinuousClock.Instant]>([])
        self.arrivals = arrivals
        session = FeedSession(
            repository: FeedRepository(endpoint: endpoint, transport: transport),
            pipeline: pipeline,
            mode: strategy.mode,
            pageSize: header.pageSize ?? 8,
            onImage: { _ in arrivals.withLock { $0.append(.now) } }
        )
    }

    func look(at view: SessionView) async throws -> Times {
        arrivals.withLock { $0 = [] }
        let start = ContinuousClock.now
        try await session.perform(view.action)
        let end = ContinuousClock.now
        let first = arrivals.withLock { $0.min() }
        return Times(
            firstImage: first.map { ($0 - start) / .milliseconds(1) },
            complete: (end - start) / .milliseconds(1)
        )
    }
}
