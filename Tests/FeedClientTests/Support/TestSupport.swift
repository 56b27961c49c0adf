// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// A directory of its own that goes away with the value.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("feed-client-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }

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

/// SplitMix64, so that a failing order can be run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
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
