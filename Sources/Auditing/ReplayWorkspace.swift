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
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("firemeter-replay-\(UUID().uuidString)")

    init(strategy: Strategy, endpoint: FeedEndpoint, pageSize: Int) {
        self.strategy = strategy
        self.endpoint = endpoint
        self.pageSize = pageSize
    }

    /// Makes the app of a client, which records its views if it is told where.
    func makeClient(_ name: String, recorder: ViewRecorder? = nil) throws -> ReplayClient {
        let transport = CountingTransport(URLSessionTransport())
        let disk = strategy.diskByteCountMax.map { byteCountMax in
            // Not by the client's name, which may be no file name.
            let folder = directory.appendingPathComponent(UUID().uuidString)
            return ImagePipeline.Configuration.Disk(directory: folder, byteCountMax: byteCountMax)
        }
        let pipeline: ImagePipeline
        do {
            pipeline = try ImagePipeline(
                storage: endpoint.storage,
                transport: transport,
                configuration: ImagePipeline.Configuration(
                    memory: strategy.memoryByteCountMax.map { .init(byteCountMax: $0) },
                    disk: disk
                )
            )
        } catch {
            throw AuditError.cachesFailed(client: name, error)
        }
        let session = FeedSession(
            repository: FeedRepository(endpoint: endpoint, transport: transport),
            pipeline: pipeline,
            mode: strategy.mode,
            pageSize: pageSize,
            recorder: recorder
        )
        return ReplayClient(session: session, pipeline: pipeline, transport: transport)
    }

    func removeFiles() {
        try? FileManager.default.removeItem(at: directory)
    }
}
