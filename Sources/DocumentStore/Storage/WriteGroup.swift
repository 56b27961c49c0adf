// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The commits that share a transaction.
final class WriteGroup {
    private let db: SQLiteConnection
    private let timeline: Timeline
    private let caches: StoreCaches
    private let catalog: IndexCatalog
    private let rows: RowMemo
    private var lastCommit: Timestamp
    private var sessions: [WriteSession] = []

    /// Begins in an open transaction.
    init(_ db: SQLiteConnection, timeline: Timeline, caches: StoreCaches) throws {
        let (lastCommit, version) = try db.timeline()
        self.db = db
        self.timeline = timeline
        self.caches = caches
        self.lastCommit = lastCommit
        self.rows = RowMemo(db: db, caches: caches)
        self.catalog = try caches.catalog(version: version) { try IndexCatalog(version: version, from: db) }
    }

    /// A session for the next commit, later than those before it.
    func nextSession() -> WriteSession {
        lastCommit = timeline.beginCommit(after: lastCommit)
        let session = WriteSession(
            db: db,
            commitTime: lastCommit,
            catalog: catalog,
            caches: caches,
            rows: rows
        )
        sessions.append(session)
        return session
    }

    /// Writes what all have in common and returns the time of the last commit, and what is to be published once the
    /// transaction is committed.
    func finish() throws -> (lastCommit: Timestamp, rows: RowMemo) {
        try db.run(.setCommitTime) { $0.bind(lastCommit.microseconds, at: 1) }
        try VersionPruning(db: db).prune(upTo: lastCommit, added: sessions.reduce(0) { $0 + $1.versionCount })
        return (lastCommit, rows)
    }
}
