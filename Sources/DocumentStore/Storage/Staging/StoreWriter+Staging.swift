// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import Dispatch
import FirestoreModel

extension StoreWriter {
    /// Commits that come within this time share a transaction of the file.
    private static let settlingDelay = DispatchTimeInterval.milliseconds(5)

    /// Makes a commit that is written to the file later.
    func stage(_ job: WriteJob, in staged: StagedCommits) {
        do {
            let time = timeline.beginCommit()
            guard let commit = try plan(job, at: time, staged: staged.snapshot) else {
                return timeline.endCommits(lastCommit: nil)
            }
            schedule(try staged.add(commit))
            timeline.endCommits(lastCommit: time)
            tell(commit.committed)
        } catch {
            timeline.endCommits(lastCommit: nil)
            job.fail(error)
        }
    }

    private func plan(
        _ job: WriteJob,
        at time: Timestamp,
        staged: StagedCommits.Snapshot
    ) throws -> PlannedCommit? {
        let plan = { (db: SQLiteConnection) in
            let rows = RowMemo(db: db, caches: self.caches)
            return try job.plan(
                at: time,
                after: FormerState(rows: rows, staged: staged, presence: self.presence)
            )
        }
        // A transaction for a single question would cost more than the question.
        return job.size == 1 ? try connections.ask(plan) : try connections.read(plan)
    }

    private func schedule(_ urgency: StagedCommits.Urgency) {
        // Documents that cannot be written stay staged: the next caller that needs them in the file tries again, and gets the error.
        switch urgency {
        case .none: break
        case .soon: settling.asyncAfter(deadline: .now() + Self.settlingDelay) { [weak self] in try? self?.settle() }
        case .now: settling.async { [weak self] in try? self?.settle() }
        }
    }

    /// Writes all commits up to now to the file, if that is still to be done.
    ///
    /// They were acknowledged, so that on a full disk they may take the space that is kept.
    func settle() throws {
        guard let staged, !staged.isEmpty else { return }
        try reserve.deleting(isFault: Self.isOfFile, tidy: shortenLog) { try write(staged) }
    }

    private static func isOfFile(_ error: any Error) -> Bool { error is SQLiteError }

    private func write(_ staged: StagedCommits) throws {
        try connections.write { db in
            let commits = staged.beginLeaving()
            guard !commits.isEmpty else { return }
            _ = try inStoreTransaction(db) { transaction in
                for commit in commits { try transaction.store(commit) }
            }
            staged.endLeaving()
        }
    }
}
