// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import SessionLog

/// A world in which waiting takes no time, and chance has one side.
final class TestWorld: Sendable {
    private let waits = Locked<[Duration]>([])
    private let time = Locked<Int64>(1_000_000_000)

    /// The waits so far.
    var delays: [Duration] { waits.withLock { $0 } }

    func advance(by duration: Duration) {
        time.withLock { $0 += Int64(duration / .microseconds(1)) }
    }

    var environment: PipelineEnvironment {
        PipelineEnvironment(
            now: { [time] in time.withLock { $0 } },
            sleep: { [waits] delay in waits.withLock { $0.append(delay) } },
            unitInterval: { 1 }
        )
    }
}

/// Bytes that differ from place to place, and from seed to seed.
func picture(_ byteCount: Int, seed: UInt8 = 1) -> Data {
    Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed })
}
