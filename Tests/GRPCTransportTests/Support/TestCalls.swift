// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The reports of the test's handlers.
final class TestCalls: Sendable {
    private struct State {
        var cancelledCount = 0
        var writtenCount = 0
        var readCount = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Handlers that saw their call cancelled.
    var cancelledCount: Int { state.withLockedValue(\.cancelledCount) }
    /// Messages that the method `Flood` has handed over, or calls of `DirectWait` that have begun.
    var writtenCount: Int { state.withLockedValue(\.writtenCount) }
    /// Messages that the method `Slurp` has read.
    var readCount: Int { state.withLockedValue(\.readCount) }

    func noteCancellation() {
        change { $0.cancelledCount += 1 }
    }

    func noteWrite() {
        change { $0.writtenCount += 1 }
    }

    func noteRead() {
        change { $0.readCount += 1 }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLockedValue { state in
            body(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when that many handlers have seen their call cancelled.
    func waitForCancellations(_ count: Int) async {
        while cancelledCount < count {
            await withCheckedContinuation { continuation in
                let isDone = state.withLockedValue { state in
                    guard state.cancelledCount < count else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        }
    }
}
