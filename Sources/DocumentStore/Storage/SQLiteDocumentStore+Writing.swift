// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SQLiteDocumentStore {
    /// Makes all writes in order, or none of them.
    ///
    /// `validate` is told the changes before they are made; when it throws, nothing happens. It may be called on the
    /// thread of another commit that is made at the same time.
    ///
    /// - Throws: `DocumentStoreError` for an invalid write or a precondition that does not hold; what `validate` throws.
    package func commit(
        _ writes: [Write],
        in database: DatabaseID,
        validate: ([DocumentChange]) throws -> Void = { _ in }
    ) throws -> CommitResult {
        for write in writes {
            try write.validate(in: database)
        }
        try WriteSequence.validate(writes)
        var result: CommitResult?
        try Self.translatingErrors {
            try writer.commit(size: writes.count) { time, state in
                var plan = CommitPlan(commitTime: time, writeCount: writes.count)
                for write in writes {
                    try plan.add(write) { path in
                        WorkingDocument(
                            DocumentReference(database: database, path: path),
                            stored: try state.document(at: path, in: database)
                        )
                    }
                }
                let outcomes = plan.outcomes()
                let commit = PlannedCommit(outcomes, in: database, at: time)
                try validate(commit.changes)
                result = plan.result(outcomes)
                return commit
            }
        }
        guard let result else { preconditionFailure("a commit that succeeded was planned") }
        return result
    }

    /// Deletes every document of a database at once, and its past; the others keep theirs.
    package func deleteAll(in database: DatabaseID) throws {
        try Self.translatingErrors {
            try writer.write { session, time in
                try session.deleteAll(in: database)
                return CommittedChanges(database: database, commitTime: time, content: .everythingDeleted)
            }
        }
    }

    /// Builds indexes that are missing.
    func build(_ shapes: [IndexShape], in database: DatabaseID) throws {
        try Self.translatingErrors {
            try writer.write { session, _ in
                try session.build(shapes, in: database)
                return nil
            }
        }
    }
}
