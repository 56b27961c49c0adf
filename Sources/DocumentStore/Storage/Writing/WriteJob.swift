// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FirestoreModel

/// One caller's writes, waiting for their turn.
///
/// Sendable without a lock: the caller hands it over through the queue's lock, and it is read again only after
/// `turn` was signalled, by the thread that changed it.
final class WriteJob: @unchecked Sendable {
    enum Work {
        case commit(PlannedCommit.Plan)
        /// Nothing: its caller only wants its turn.
        case turn
        /// Writes to the tables by itself, in a transaction in which no other work is.
        case tables((StoreTransaction, Timestamp) throws -> [CommittedChanges])
    }

    /// Whether no other stream may be in the same transaction.
    let isAlone: Bool
    /// How many writes it has, roughly.
    let size: Int
    /// `nil` once run, so that it does not outlive the call it came with.
    private var work: Work?
    private(set) var outcome: Result<Void, any Error>?
    /// Signalled when the job is done, or when its thread is to lead.
    let turn = DispatchSemaphore(value: 0)

    init(_ work: Work, size: Int) {
        if case .tables = work { isAlone = true } else { isAlone = false }
        self.work = work
        self.size = size
    }

    /// Does the work in a transaction and returns what it changed; keeps a refusal for its caller.
    ///
    /// - Throws: what went wrong while writing, which undoes the transaction for all.
    func run(
        in transaction: StoreTransaction,
        on timeline: Timeline,
        presence: PresenceFilter?
    ) throws -> [CommittedChanges] {
        defer { work = nil }
        let time = transaction.beginCommit(on: timeline)
        switch work {
        case .commit(let plan):
            let state = FormerState(rows: transaction.rows, presence: presence)
            guard let commit = try planned(plan, at: time, after: state) else { return [] }
            try transaction.store(commit)
            return [commit.committed]
        case .tables(let write):
            let changes = try write(transaction, time)
            if !changes.isEmpty { transaction.noteCommit(at: time) }
            outcome = .success(())
            return changes
        case .turn:
            outcome = .success(())
            return []
        case nil: return []
        }
    }

    /// Works a commit out, to be written later; keeps a refusal for its caller.
    func plan(at time: Timestamp, after state: FormerState) throws -> PlannedCommit? {
        defer { work = nil }
        guard case .commit(let plan) = work else {
            outcome = .success(())
            return nil
        }
        return try planned(plan, at: time, after: state)
    }

    private func planned(
        _ plan: PlannedCommit.Plan,
        at time: Timestamp,
        after state: FormerState
    ) throws -> PlannedCommit? {
        do {
            let commit = try plan(time, state)
            state.note(commit)
            outcome = .success(())
            return commit
        } catch {
            outcome = .failure(error)
            if error is SQLiteError { throw error }
            return nil
        }
    }

    /// Gives up whatever it did, together with the transaction it was in.
    func fail(_ error: any Error) {
        work = nil
        if case .failure = outcome { return }
        outcome = .failure(error)
    }
}
