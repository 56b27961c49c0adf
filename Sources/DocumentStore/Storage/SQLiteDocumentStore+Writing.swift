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
        return try write(size: writes.count) { session in
            let (result, changes) = try session.commit(writes, in: database, validate: validate)
            return (result, committed(.documents(changes), in: database, at: session.commitTime))
        }
    }

    /// Deletes every document of a database at once, and its past; the others keep theirs.
    package func deleteAll(in database: DatabaseID) throws {
        try write(size: 1, isAlone: true) { session in
            try session.deleteAll(in: database)
            return ((), committed(.everythingDeleted, in: database, at: session.commitTime))
        }
    }

    /// Builds indexes that are missing.
    func build(_ shapes: [IndexShape], in database: DatabaseID) throws {
        try write(size: 1, isAlone: true) { session in
            (try session.build(shapes, in: database), nil)
        }
    }

    /// Returns once all writes before this are done.
    func waitForWriter() throws {
        try write(size: 1) { _ in ((), nil) }
    }

    private func committed(
        _ content: CommittedChanges.Content,
        in database: DatabaseID,
        at time: Timestamp
    ) -> CommittedChanges {
        CommittedChanges(database: database, commitTime: time, content: content)
    }
}
