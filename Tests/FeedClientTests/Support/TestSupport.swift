// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog
import TestSupport

extension TemporaryDirectory {
    func files() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }
}

/// A clock that stands still until it is advanced.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private let time = Locked(Instant(offset: .zero))

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        preconditionFailure("nothing under test sleeps")
    }
}

func reference(_ feed: String, _ index: Int = 0, generation: Int64? = 1) -> ImageReference {
    ImageReference(bucket: "b", owner: "o", feed: feed, index: index, generation: generation)
}

extension AsyncStream<ImageDelivery> {
    /// The results in the order of the batch.
    func results() async -> [Result<Data, FeedError>] {
        var results: [Int: Result<Data, FeedError>] = [:]
        for await delivery in self { results[delivery.index] = delivery.result }
        return results.sorted { $0.key < $1.key }.map(\.value)
    }
}
