// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Reads as of one moment.
struct StoreSnapshot {
    let db: SQLiteConnection
    let readTime: Timestamp
    /// The time of the last commit it sees, in any database.
    let lastCommit: Timestamp
    let catalog: IndexCatalog
    let caches: StoreCaches

    /// Begins in an open transaction, of which this is the first question: it fixes the snapshot.
    init(_ db: SQLiteConnection, timeline: Timeline, caches: StoreCaches) throws {
        let (lastCommit, version) = try db.timeline()
        self.db = db
        self.lastCommit = lastCommit
        self.readTime = timeline.readTime(seeing: lastCommit)
        self.catalog = try caches.catalog(version: version) { try IndexCatalog(version: version, from: db) }
        self.caches = caches
    }

    func lastCommitTime() throws -> Timestamp { lastCommit }

    func document(at path: DocumentPath, in database: DatabaseID) throws -> Document? {
        guard let collection = try row(of: path.collection, in: database) else { return nil }
        return try db.storedDocument(at: path, in: collection)?.document
    }

    // MARK: Rows; `nil` when nothing was ever written there.

    func row(of database: DatabaseID) throws -> Int64? {
        try caches.row(of: database) { try db.row(of: database) }
    }

    func row(of collection: CollectionPath, in database: DatabaseID) throws -> Int64? {
        guard let database = try row(of: database) else { return nil }
        return try caches.row(of: collection, in: database) { try db.row(of: collection, in: database) }
    }

    func place(of collection: Int64) throws -> CollectionPlace {
        try caches.place(of: collection) { try db.place(of: collection) }
    }
}
