// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// One caller's writes, waiting for their turn.
///
/// Sendable without a lock: the caller hands it over through the queue's lock, and it is read again only after
/// `turn` was signalled, by the thread that changed it.
final class WriteJob: @unchecked Sendable {
    /// Whether nobody else may be in the same transaction.
    let isAlone: Bool
    /// How many writes it has, roughly.
    let size: Int
    /// `nil` once run, so that it does not outlive the call it came with.
    private var body: ((WriteSession) throws -> CommittedChanges?)?
    private(set) var outcome: Result<Void, any Error>?
    /// Signalled when the job is done, or when its thread is to lead.
    let turn = DispatchSemaphore(value: 0)

    init(isAlone: Bool, size: Int, body: @escaping (WriteSession) throws -> CommittedChanges?) {
        self.isAlone = isAlone
        self.size = size
        self.body = body
    }

    /// Runs the body and returns what it changed; keeps its error for its caller.
    ///
    /// - Throws: the error of a body that had begun to write, which undoes the transaction for all.
    func run(_ session: WriteSession) throws -> CommittedChanges? {
        defer { body = nil }
        do {
            let changes = try body?(session)
            outcome = .success(())
            return changes
        } catch {
            outcome = .failure(error)
            if session.hasWritten || error is SQLiteError { throw error }
            return nil
        }
    }

    /// Gives up whatever it did, together with the transaction it was in.
    func fail(_ error: any Error) {
        body = nil
        if case .failure = outcome { return }
        outcome = .failure(error)
    }
}
