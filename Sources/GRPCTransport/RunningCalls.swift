// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Counts the calls whose handlers have not returned.
final class RunningCalls: Sendable {
    private struct State {
        var count = 0
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    func began() {
        state.withLockedValue { $0.count += 1 }
    }

    func ended() {
        let waiters = state.withLockedValue { state in
            state.count -= 1
            guard state.count == 0 else { return [UnsafeContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when no handler is running.
    func finished() async {
        await withUnsafeContinuation { continuation in
            let isIdle = state.withLockedValue { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
