// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Writes for one commit, all at the same time.
final class WriteSession {
    let db: SQLiteConnection
    let commitTime: Timestamp
    let catalog: IndexCatalog
    let caches: StoreCaches
    let rows: RowMemo
    /// Whether an error from here on leaves something half done.
    private(set) var hasWritten = false
    /// Former versions kept.
    private(set) var versionCount: Int64 = 0

    init(db: SQLiteConnection, commitTime: Timestamp, catalog: IndexCatalog, caches: StoreCaches, rows: RowMemo) {
        self.db = db
        self.commitTime = commitTime
        self.catalog = catalog
        self.caches = caches
        self.rows = rows
    }

    /// Makes all writes, or throws before it made any.
    ///
    /// `validate` is told the changes before they are made.
    func commit(
        _ writes: [Write],
        in database: DatabaseID,
        validate: ([DocumentChange]) throws -> Void
    ) throws -> (CommitResult, [DocumentChange]) {
        var plan = CommitPlan(commitTime: commitTime, writeCount: writes.count)
        for write in writes {
            try plan.add(write) { path in
                WorkingDocument(DocumentReference(database: database, path: path), stored: try load(path, database))
            }
        }
        let outcomes = plan.outcomes()
        let changes = outcomes.compactMap(\.change)
        try validate(changes)
        if !changes.isEmpty {
            hasWritten = true
            let row = try rows.makeRow(of: database)
            for outcome in outcomes {
                try store(outcome, in: row)
            }
        }
        return (plan.result(outcomes), changes)
    }

    private func load(_ path: DocumentPath, _ database: DatabaseID) throws -> StoredDocument? {
        guard let row = try rows.row(of: database), let collection = try rows.row(of: path.collection, in: row) else {
            return nil
        }
        return try db.storedDocument(at: path, in: collection)
    }

    func noteWriting() {
        hasWritten = true
    }

    func noteVersion() {
        versionCount += 1
    }
}
