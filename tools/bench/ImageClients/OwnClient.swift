// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// FeedClient as it is, with the caches of an app that says nothing of them but where they are.
final class OwnClient: ImageClient {
    private let bucket: String
    private let pipeline: Locked<ImagePipeline>
    private let makePipeline: @Sendable () throws -> ImagePipeline
    private let time = Locked<Int64>(1_000_000_000_000)

    init(storage: URL, bucket: String, transport: any HTTPTransport, directory: URL) throws {
        self.bucket = bucket
        makePipeline = { [time] in
            try ImagePipeline(
                storage: storage,
                transport: transport,
                configuration: .init(disk: .init(directory: directory)),
                environment: PipelineEnvironment(now: { time.withLock { $0 } })
            )
        }
        pipeline = Locked(try makePipeline())
    }

    private var current: ImagePipeline { pipeline.withLock { $0 } }

    func show(_ picture: Picture) async throws -> Data {
        try await current.image(for: picture.reference(in: bucket))
    }

    func showUnversioned(_ picture: Picture) async throws -> Data {
        var picture = picture
        picture.generation = nil
        picture.token = nil
        return try await show(picture)
    }

    func settle() async { while await current.loadCount > 0 { await Task.yield() } }

    func hasUploaded(_ picture: Picture, _ data: Data) async {
        await current.store(data, for: picture.reference(in: bucket))
    }

    /// Another process: nothing but the directory is left.
    func relaunch() async {
        if let new = try? makePipeline() { pipeline.withLock { $0 = new } }
    }

    func wait(seconds: Int) async { time.withLock { $0 += Int64(seconds) * 1_000_000 } }
}
