// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// Counts the tasks that answer requests, so that a server outlives them.
package final class RunningWork: Sendable {
    private struct State {
        var count = 0
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())

    /// Creates a count of zero.
    package init() {}

    /// A task begins.
    package func began() {
        state.withLockedValue { $0.count += 1 }
    }

    /// A task has returned.
    package func ended() {
        let waiters = state.withLockedValue { state in
            state.count -= 1
            guard state.count == 0 else { return [UnsafeContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when no task is running.
    package func finished() async {
        await withUnsafeContinuation { continuation in
            let isIdle = state.withLockedValue { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
