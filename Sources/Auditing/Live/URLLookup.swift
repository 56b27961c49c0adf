// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation

/// Asks for the address of each image before it is loaded, as apps do whose documents do not have it.
struct URLLookup: Sendable {
    /// The questions asked at a time.
    private static let concurrentCountMax = 6

    let storage: URL
    let transport: any HTTPTransport

    func callAsFunction(_ references: [ImageReference]) async throws {
        let requests = references.compactMap { $0.metadataRequest(storage: storage) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, request) in requests.enumerated() {
                if index >= Self.concurrentCountMax { try await group.next() }
                group.addTask {
                    // The answer does not matter here, only that the request was made.
                    _ = try await transport.send(request).body.collected()
                }
            }
            try await group.waitForAll()
        }
    }
}
