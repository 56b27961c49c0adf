// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
package import FirestoreModel

extension SQLiteDocumentStore {
    /// Makes all writes in order, or none of them.
    ///
    /// `validate` receives the changes before they are made; when it throws, nothing happens. It may be called on the
    /// thread of another commit that is made at the same time, and twice for a commit that only deletes. `authorizing` is
    /// called before it, under the same conditions. `queued` is called when commits that come later are sure to be made
    /// later.
    ///
    /// - Throws: `FirestoreError` for an invalid write or a precondition that does not hold; what `authorizing` and
    ///   `validate` throw.
    package func commit(
        _ writes: [Write],
        in database: DatabaseID,
        authorizing: CommitAuthorization? = nil,
        queued: () -> Void = {},
        validate: ([DocumentChange]) throws -> Void = { _ in }
    ) throws -> CommitResult {
        for write in writes {
            try write.validate(in: database)
        }
        try WriteSequence.validate(writes)
        var result: CommitResult?
        try write(for: Self.purpose(of: writes)) {
            try writer.commit(size: writes.count, queued: queued) { time, state in
                let planned = try Self.plan(
                    writes,
                    in: database,
                    at: time,
                    after: state,
                    authorizing,
                    validate
                )
                result = planned.result
                return planned.commit
            }
        }
        guard let result else { preconditionFailure("a commit that succeeded was planned") }
        return result
    }

    /// Makes commits one after the other; one that is refused does not keep the others from being made.
    ///
    /// They share transactions of the file. `validate` gets the index of the commit, too; otherwise as `commit`.
    package func commitEach(
        _ commits: [[Write]],
        in database: DatabaseID,
        authorizing: CommitAuthorization? = nil,
        queued: () -> Void = {},
        validate: (Int, [DocumentChange]) throws -> Void = { _, _ in }
    ) -> [Result<CommitResult, any Error>] {
        func makeAlone(_ index: Int, queued: () -> Void = {}) -> Result<CommitResult, any Error> {
            Result {
                try commit(commits[index], in: database, authorizing: authorizing, queued: queued) {
                    try validate(index, $0)
                }
            }
        }
        // Each is then refused, or made in the space that is kept for deleting.
        guard !reserve.isShort else {
            return commits.indices.map { makeAlone($0, queued: $0 == commits.count - 1 ? queued : {}) }
        }
        var results = commitTogether(
            commits,
            in: database,
            authorizing: authorizing,
            queued: queued,
            validate: validate
        )
        for (index, result) in results.enumerated() {
            guard case .failure(let error) = result else { continue }
            // Behind those that came meanwhile: else it would not be made at all.
            let isTriedAgain = error is SQLiteError && Self.purpose(of: commits[index]) == .deleting
            results[index] = isTriedAgain ? makeAlone(index) : Result { try Self.translatingErrors { throw error } }
        }
        return results
    }

    /// Errors of the file are left as they are.
    private func commitTogether(
        _ commits: [[Write]],
        in database: DatabaseID,
        authorizing: CommitAuthorization?,
        queued: () -> Void,
        validate: (Int, [DocumentChange]) throws -> Void
    ) -> [Result<CommitResult, any Error>] {
        var results = [CommitResult?](repeating: nil, count: commits.count)
        do {
            let outcomes = try writer.commitEach(sizes: commits.map(\.count), queued: queued) { index, time, state in
                let writes = commits[index]
                for write in writes { try write.validate(in: database) }
                try WriteSequence.validate(writes)
                let planned = try Self.plan(writes, in: database, at: time, after: state, authorizing) {
                    try validate(index, $0)
                }
                results[index] = planned.result
                return planned.commit
            }
            return zip(outcomes, results).map { outcome, result in
                Result<CommitResult, any Error> {
                    try outcome.get()
                    guard let result else { preconditionFailure("a commit that succeeded was planned") }
                    return result
                }
            }
        } catch {
            return commits.map { _ in .failure(error) }
        }
    }

    private static func purpose(of writes: [Write]) -> Purpose {
        writes.contains(where: \.isSet) ? .storing : .deleting
    }

    private static func plan(
        _ writes: [Write],
        in database: DatabaseID,
        at time: Timestamp,
        after state: FormerState,
        _ authorization: CommitAuthorization?,
        _ validate: ([DocumentChange]) throws -> Void
    ) throws -> (commit: PlannedCommit, result: CommitResult) {
        let plan: CommitPlan
        do {
            plan = try effect(of: writes, in: database, at: time, after: state)
        } catch let error as FirestoreError where error.code.isOfPrecondition {
            // Rules refuse before preconditions do (official emulator 1.19.9, 2026-11): a caller who may not read a document
            // does not learn whether it exists.
            if let judge = authorization?.judge {
                let unconditional = try effect(of: writes.map(\.unconditional), in: database, at: time, after: state)
                let outcomes = unconditional.outcomes()
                try judge(ProposedCommit(writes, in: database, at: time, outcomes: outcomes, after: state))
            }
            throw error
        }
        let outcomes = plan.outcomes()
        if let judge = authorization?.judge {
            try judge(ProposedCommit(writes, in: database, at: time, outcomes: outcomes, after: state))
        }
        let commit = PlannedCommit(outcomes, in: database, at: time, by: authorization?.committer)
        try validate(commit.changes)
        return (commit, plan.result(outcomes))
    }

    private static func effect(
        of writes: [Write],
        in database: DatabaseID,
        at time: Timestamp,
        after state: FormerState
    ) throws -> CommitPlan {
        var plan = CommitPlan(commitTime: time, writeCount: writes.count)
        for write in writes {
            try plan.add(write) { path in
                WorkingDocument(
                    DocumentReference(database: database, path: path),
                    stored: try state.document(at: path, in: database)
                )
            }
        }
        return plan
    }

    /// Deletes every document of a database at once, and its past; the others keep theirs.
    package func deleteAll(in database: DatabaseID) throws {
        try write(for: .deleting) {
            try writer.write { transaction, time in
                try transaction.deleteAll(in: database, at: time)
                return [CommittedChanges(database: database, commitTime: time, content: .everythingDeleted)]
            }
        }
    }

    /// Builds indexes that are missing.
    func build(_ shapes: [IndexShape], in database: DatabaseID) throws {
        try write(for: .storing) {
            try writer.write { transaction, _ in
                try transaction.build(shapes, in: database)
                return []
            }
        }
    }
}

extension Write {
    fileprivate var unconditional: Write {
        var write = self
        write.precondition = nil
        return write
    }
}

extension FirestoreError.Code {
    /// Whether a precondition on an existing or missing document may fail with this code.
    fileprivate var isOfPrecondition: Bool {
        switch self {
        case .notFound, .alreadyExists, .failedPrecondition: true
        case .invalidArgument, .permissionDenied, .unknown, .aborted, .resourceExhausted, .unimplemented, .unavailable,
            .dataLoss:
            false
        }
    }
}
