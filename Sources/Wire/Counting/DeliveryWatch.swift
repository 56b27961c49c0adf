// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Knows of the connections that are closed but whose last bytes the kernel is still delivering.
///
/// Their records come when that is over; the closer of the ledger waits for them with ``settle()``.
package final class DeliveryWatch: Sendable {
    private struct State {
        var awaitedCount = 0
        var isHurried = false
    }

    /// How often ``settle()`` looks again; a waiting connection looks about as often.
    private static let checkInterval = TimeAmount.milliseconds(5)

    private let state = NIOLockedValueBox(State())

    /// Creates a watch over no connection.
    package init() {}

    /// Whether no caller should wait for a delivery any longer.
    var isHurried: Bool { state.withLockedValue { $0.isHurried } }

    func began() { state.withLockedValue { $0.awaitedCount += 1 } }
    func ended() { state.withLockedValue { $0.awaitedCount -= 1 } }

    /// Returns when every exchange of the servers that had this watch, and have stopped, is recorded.
    ///
    /// Connections whose last bytes are still under way settle for what has gone by now.
    package func settle() async {
        state.withLockedValue { $0.isHurried = true }
        try? await WireServer.settleExchanges()
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        while state.withLockedValue({ $0.awaitedCount }) > 0 {
            // A task of the loop, which also runs for a task that has been cancelled.
            try? await loop.scheduleTask(in: Self.checkInterval) {}.futureResult.get()
        }
    }
}
