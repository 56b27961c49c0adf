// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Foundation
import ServiceLifecycle

/// Sends quiet listeners the time now and then, so that their resume tokens do not grow old.
struct ListenHeartbeat: Service {
    let listening: ListenHub

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await listening.announceTime(clock: ContinuousClock())
        }
    }
}

/// Lets commits wait for transactions until the emulator stops.
///
/// From then on clients begin no more calls, so that they cannot end the transactions waited for.
struct TransactionWaits: Service {
    let transactions: TransactionManager

    func run() async {
        // Throws when it is cancelled, which stops the emulator, too.
        try? await gracefulShutdown()
        transactions.stopWaiting()
    }
}

/// The wall clock.
package enum SystemClock {
    /// Microseconds since the Unix epoch.
    @Sendable package static func microseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
