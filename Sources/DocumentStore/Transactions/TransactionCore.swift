// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers

/// The state of all transactions behind its lock, and the ear at the store.
///
/// Apart from the manager, as the store keeps its observers for as long as it lives.
final class TransactionCore: ChangeObserving {
    private let state: NIOLockedValueBox<TransactionState>

    init(_ state: TransactionState) {
        self.state = NIOLockedValueBox(state)
    }

    /// Reads or changes the state, then resumes the tasks that this wakes.
    func update<Result>(_ body: (inout TransactionState) throws -> Result) rethrows -> Result {
        var wakeups: [TransactionState.Wakeup] = []
        defer {
            for wakeup in wakeups { wakeup.continuation.resume(returning: wakeup.wake) }
        }
        return try state.withLockedValue { state in
            defer { swap(&wakeups, &state.wakeups) }
            return try body(&state)
        }
    }

    func didCommit(_ changes: CommittedChanges) {
        update { $0.learn(of: changes) }
    }
}
