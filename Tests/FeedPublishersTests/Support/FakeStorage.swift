// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// Objects behind the transport's seam; others answer 404.
struct FakeStorage: HTTPTransport {
    let objects: [String: Data]
    /// Runs before each answer, with the object's name.
    var gate: @Sendable (String) async throws -> Void = { _ in }
    let requestCount = Locked(0)

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        requestCount.withLock { $0 += 1 }
        let name = request.url.lastPathComponent
        try await gate(name)
        guard let data = objects[name] else { return TransportResponse(status: 404, body: Data()) }
        return TransportResponse(status: 200, body: data)
    }

    /// A pipeline that keeps nothing.
    func makePipeline() throws -> ImagePipeline {
        let storage = URL(string: "http://storage.test") ?? URL(fileURLWithPath: "/")
        return try ImagePipeline(storage: storage, transport: self, configuration: .init(memory: nil))
    }
}

func reference(_ feed: String) -> ImageReference {
    ImageReference(bucket: "b", owner: "o", feed: feed, index: 0, generation: 1)
}
