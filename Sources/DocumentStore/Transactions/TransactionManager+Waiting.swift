// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension TransactionManager {
    /// Suspends the task until its commit is no longer held up.
    nonisolated(nonsending) func waitForTurn(_ ticket: CommitTicket) async throws {
        let core = core
        let clock = clock
        let wake = await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.watch(ticket, core, clock) }
            let wake = await Self.suspend(ticket, core)
            group.cancelAll()
            return wake
        }
        switch wake {
        case .proceed: try Task.checkCancellation()
        case .contention: throw DocumentStoreError.contention
        case .abandoned: throw DocumentStoreError.transactionOver
        case .cancelled: throw CancellationError()
        case .closed: throw DocumentStoreError.transactionsClosed
        }
    }

    private nonisolated(nonsending) static func suspend(
        _ ticket: CommitTicket,
        _ core: TransactionCore
    ) async -> PendingCommit.Wake {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                core.update { $0.suspend(ticket, continuation) }
            }
        } onCancel: {
            core.update { $0.abort(ticket, .cancelled) }
        }
    }

    /// Looks after a waiting commit whenever its time or that of a blocker may be over.
    private static func watch(_ ticket: CommitTicket, _ core: TransactionCore, _ clock: ElapsedClock) async {
        while let alarm = core.update({ $0.alarm(of: ticket) }) {
            guard (try? await clock.sleepUntil(alarm)) != nil else { return }
            core.update { $0.look(at: ticket, at: clock.now()) }
        }
    }
}
