// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The writes of one transaction of the file, in which several commits may be.
final class StoreTransaction {
    let db: SQLiteConnection
    let catalog: IndexCatalog
    let caches: StoreCaches
    let rows: RowMemo
    /// The time of the last commit, those of this transaction among them.
    private(set) var lastCommit: Timestamp
    /// Former versions kept.
    private var versionCount: Int64 = 0

    /// Begins in an open transaction.
    init(_ db: SQLiteConnection, caches: StoreCaches) throws {
        let (lastCommit, version) = try db.timeline()
        self.db = db
        self.caches = caches
        self.lastCommit = lastCommit
        self.rows = RowMemo(db: db, caches: caches)
        self.catalog = try caches.catalog(version: version) { try IndexCatalog(version: version, from: db) }
    }

    /// A time for the next commit, later than those before it; it counts only if a commit is made then.
    func beginCommit(on timeline: Timeline) -> Timestamp {
        timeline.beginCommit(after: lastCommit)
    }

    /// Makes a time that of the last commit.
    ///
    /// Observers must be informed of that commit: listeners wait until they know the last one that they have read.
    func noteCommit(at time: Timestamp) {
        lastCommit = time
    }

    /// Writes a commit to the tables, the next one after those before it.
    func store(_ commit: PlannedCommit) throws {
        noteCommit(at: commit.time)
        guard !commit.outcomes.isEmpty else { return }
        let database = try rows.makeRow(of: commit.database)
        for outcome in commit.outcomes {
            try store(outcome, in: database)
        }
    }

    /// Writes what all have in common.
    func finish() throws {
        try db.run(.setCommitTime) { $0.bind(lastCommit.microseconds, at: 1) }
        try VersionPruning(db: db).prune(upTo: lastCommit, added: versionCount)
    }

    func noteVersion() {
        versionCount += 1
    }
}

extension StoreTransaction {
    /// Deletes all documents of a database, with their indexes and former versions.
    func deleteAll(in database: DatabaseID, at time: Timestamp) throws {
        guard let row = try rows.row(of: database) else { return }
        let isOnly =
            try db.first(.otherDocument) {
                $0.bind(row, at: 1)
            } _: { _ in
                true
            } == nil
        for table in ["documents", "versions"] {
            try deleteRows(
                of: table,
                where: "collection IN (SELECT id FROM collections WHERE database = \(row))",
                all: isOnly
            )
        }
        try deleteRows(
            of: "entries",
            where: "index_id IN (SELECT id FROM indexes WHERE database = \(row))",
            all: isOnly
        )
        try deleteRows(of: "indexes", where: "database = \(row)", all: isOnly)
        try db.run(.changeCatalog)
        try db.run(.clearDatabase) { statement in
            statement.bind(time.microseconds, at: 1)
            statement.bind(row, at: 2)
        }
    }

    /// Without a condition SQLite drops whole pages, which takes next to no time.
    private func deleteRows(of table: String, where condition: String, all: Bool) throws {
        try db.execute(all ? "DELETE FROM \(table)" : "DELETE FROM \(table) WHERE \(condition)")
    }
}
