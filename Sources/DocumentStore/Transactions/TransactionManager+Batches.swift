// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension TransactionManager {
    /// Starts commits outside of transactions, one after the other, as far as that goes without waiting for transactions.
    ///
    /// One that fails or has to wait does not keep the others from being stored. One that has to wait holds up others until
    /// `finish` is called. `authorizing` judges each of them in its turn. `queued` is called when commits that come later are
    /// sure to be stored later than those that do not wait.
    package func startCommits(
        _ batch: [[Write]],
        in database: DatabaseID,
        authorizing: CommitAuthorization? = nil,
        queued: () -> Void = {}
    ) -> [Result<StartedCommit, any Error>] {
        let approached = batch.map { writes in Result { try approach(writes, in: database, authorization: authorizing) }
        }
        // Commits that wait for a lock, and those already refused, stay out of the batch: they would hold up the others.
        let ready = approached.indices.filter { (try? approached[$0].get().isReady) ?? false }
        let commits = ready.compactMap { try? approached[$0].get().commit }
        let stored = store.commitEach(
            commits.map(\.writes),
            in: database,
            authorizing: authorizing,
            queued: queued
        ) { index, changes in
            try core.update { try $0.validate(changes, of: commits[index].ticket, at: clock.now()) }
        }
        var started = approached.map { outcome in outcome.map { StartedCommit.waiting($0.commit) } }
        for (index, (commit, result)) in zip(ready, zip(commits, stored)) {
            started[index] = Result { try end(commit, with: result) }
        }
        return started
    }

    /// Takes a commit in; it is ready to be stored unless it has to wait.
    private func approach(
        _ writes: [Write],
        in database: DatabaseID,
        authorization: CommitAuthorization?
    ) throws -> (commit: WaitingCommit, isReady: Bool) {
        let ticket = try core.update { try $0.admit(Set(writes.map(\.path)), in: database) }
        let commit = WaitingCommit(writes: writes, database: database, ticket: ticket, authorization: authorization)
        return try endingOnError(commit) {
            do {
                try core.update { try $0.approach(ticket, at: clock.now()) }
                return (commit, true)
            } catch is CommitMustWait {
                return (commit, false)
            }
        }
    }

    private func end(_ commit: WaitingCommit, with result: Result<CommitResult, any Error>) throws -> StartedCommit {
        try endingOnError(commit) {
            do {
                let stored = try result.get()
                core.update { $0.finish(commit.ticket, as: .committed) }
                return .stored(stored)
            } catch is CommitMustWait {
                return .waiting(commit)
            }
        }
    }
}
