// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SQLiteDocumentStore {
    /// Makes all writes in order, or none of them.
    ///
    /// - Throws: `DocumentStoreError` for an invalid write or a precondition that does not hold.
    package func commit(_ writes: [Write], in database: DatabaseID) throws -> CommitResult {
        for write in writes {
            try write.validate()
        }
        return try write { session in
            try session.commit(writes, in: database)
        }
    }

    /// Deletes every document of a database at once; the others keep theirs.
    package func deleteAll(in database: DatabaseID) throws {
        try write { session in
            try session.deleteAll(in: database)
        }
    }
}
