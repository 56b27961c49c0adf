// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// A clock that moves only when it is advanced; safe to share between tasks.
package final class VirtualClock: Clock, Sendable {
    /// A moment of the clock.
    package struct Instant: InstantProtocol {
        let microseconds: Int64

        package func advanced(by duration: Duration) -> Instant {
            Instant(microseconds: microseconds + Int64(duration / .microseconds(1)))
        }

        package func duration(to other: Instant) -> Duration {
            .microseconds(other.microseconds - microseconds)
        }

        package static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }
    }

    private let present: NIOLockedValueBox<Instant>

    /// Starts a clock at a time given in microseconds since the Unix epoch.
    package init(startingAt microseconds: Int64) {
        present = NIOLockedValueBox(Instant(microseconds: microseconds))
    }

    /// Microseconds since the Unix epoch.
    @Sendable package func microseconds() -> Int64 { now.microseconds }

    package var now: Instant { present.withLockedValue { $0 } }
    package var minimumResolution: Duration { .microseconds(1) }

    /// Moves the clock forward.
    package func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not run backwards")
        present.withLockedValue { $0 = $0.advanced(by: duration) }
    }

    /// Moves the clock instead of waiting.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        present.withLockedValue { $0 = max($0, deadline) }
    }
}
