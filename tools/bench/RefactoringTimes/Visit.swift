// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Refactorings

/// A user who comes with connections and caches of their own, and a stopwatch.
struct Visit {
    let repository: FeedRepository
    let pipeline: ImagePipeline
    let transport: CountingTransport
    private let clock = ContinuousClock()

    init(_ endpoint: FeedEndpoint, _ configuration: ImagePipeline.Configuration = .init()) throws {
        transport = CountingTransport(URLSessionTransport())
        repository = FeedRepository(endpoint: endpoint, transport: transport)
        pipeline = try ImagePipeline(
            storage: endpoint.storage,
            transport: transport,
            configuration: configuration
        )
    }

    /// The cost until `body` has ended.
    func cost(of body: () async throws -> Void) async throws -> Cost {
        let start = mark()
        try await body()
        return cost(since: start)
    }

    struct Mark {
        let start: ContinuousClock.Instant
        let byteCount: Int
    }

    func mark() -> Mark { Mark(start: clock.now, byteCount: transport.counts.responseBodyBytes) }

    func cost(since mark: Mark) -> Cost {
        Cost(
            seconds: mark.start.duration(to: clock.now) / .seconds(1),
            bodyBytes: transport.counts.responseBodyBytes - mark.byteCount
        )
    }
}

/// A screen that notes when it is placed and when each image comes.
actor TimedScreen: Screen {
    private let visit: Visit
    private let start: Visit.Mark
    private(set) var placed: Cost?
    private(set) var shown: [Cost] = []

    init(_ visit: Visit) {
        self.visit = visit
        start = visit.mark()
    }

    func place(_ cells: [FeedCell<FeedPost>]) { placed = visit.cost(since: start) }
    func show(_ data: Data, in cell: FeedCellID) { shown.append(visit.cost(since: start)) }
    func showPlaceholder(in cell: FeedCellID) {}
}
