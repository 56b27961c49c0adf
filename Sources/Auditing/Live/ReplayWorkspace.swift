// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// Makes the clients of one strategy's replay, each with caches of its own as on a phone of its own.
struct ReplayWorkspace {
    let strategy: Strategy
    let endpoint: FeedEndpoint
    let pageSize: Int
    /// The posts of inferred views.
    private let recorded: RecordedFeed?
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("firemeter-replay-\(UUID().uuidString)")

    init(strategy: Strategy, endpoint: FeedEndpoint, pageSize: Int, recorded: RecordedFeed? = nil) {
        self.recorded = recorded
        self.strategy = strategy
        self.endpoint = endpoint
        self.pageSize = pageSize
    }

    /// Makes the app of a client that is started at a time in microseconds since 1970.
    func makeClient(_ name: String, startingAt start: Int64) throws -> ReplayClient {
        let tape = TapingTransport(URLSessionTransport())
        let transport = CountingTransport(tape)
        let clock = VirtualClock(startingAt: start)
        let pipeline: ImagePipeline
        do {
            pipeline = try ImagePipeline(
                storage: endpoint.storage,
                transport: transport,
                configuration: configuration,
                // Every image in its turn, however large those before it: two replays decide alike.
                environment: PipelineEnvironment(now: clock.microseconds, arrivedByteCountMax: .max)
            )
        } catch {
            throw AuditError.cachesFailed(client: name, error: error)
        }
        let session = FeedSession(
            repository: FeedRepository(endpoint: endpoint, transport: transport),
            pipeline: pipeline,
            mode: strategy.mode,
            thumbnails: strategy.thumbnails,
            pageSize: pageSize,
            loading: loading(over: transport)
        )
        return ReplayClient(
            session: session,
            pipeline: pipeline,
            transport: transport,
            tape: tape,
            clock: clock,
            strategy: strategy,
            bucket: endpoint.bucket
        )
    }

    func removeFiles() {
        // The directory is temporary; a report must not be lost for what the system clears away anyway.
        try? FileManager.default.removeItem(at: directory)
    }

    private var configuration: ImagePipeline.Configuration {
        ImagePipeline.Configuration(
            memory: strategy.memory.map { .init(byteCountMax: $0.byteCountMax, policy: $0.policy) },
            disk: strategy.disk.map { cache in
                // Not by the client's name, which may be no file name.
                ImagePipeline.Configuration.Disk(
                    directory: directory.appendingPathComponent(UUID().uuidString),
                    byteCountMax: cache.byteCountMax,
                    ageMax: cache.ageMax,
                    policy: cache.policy
                )
            },
            joinsRequests: strategy.joinsRequests,
            concurrentLoadCountMax: strategy.concurrentLoadCountMax
        )
    }

    private func loading(over transport: any HTTPTransport) -> FeedLoading {
        var loading = FeedLoading()
        loading.reference = strategy.reference
        if let recorded { loading.shownPosts = { recorded.posts(named: $0) } }
        if strategy.looksUpURLs {
            loading.prepare = URLLookup(storage: endpoint.storage, transport: transport).callAsFunction
        }
        return loading
    }
}
