// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The rows of databases and collections that a write transaction uses, made when missing.
///
/// Others learn of them only when the transaction is committed.
final class RowMemo {
    private struct CollectionKey: Hashable {
        let database: Int64
        let path: CollectionPath
    }

    /// Beyond it the collections are forgotten, and found again in the tables: an import may have any number.
    private static let collectionCountMax = 20_000

    private let db: SQLiteConnection
    private let caches: StoreCaches
    private var databases: [DatabaseID: Int64] = [:]
    private var collections: [CollectionKey: Int64] = [:]
    /// Most commits stay in one collection: comparing is faster than hashing.
    private var last: (key: CollectionKey, row: Int64)?

    init(db: SQLiteConnection, caches: StoreCaches) {
        self.db = db
        self.caches = caches
    }

    func row(of database: DatabaseID) throws -> Int64? {
        if let row = databases[database] { return row }
        let row = try caches.knownRow(of: database) ?? db.row(of: database)
        databases[database] = row
        return row
    }

    func row(of collection: CollectionPath, in database: Int64) throws -> Int64? {
        let key = CollectionKey(database: database, path: collection)
        if let last, last.key == key { return last.row }
        let row =
            try collections[key] ?? caches.knownRow(of: collection, in: database)
            ?? db.row(of: collection, in: database)
        remember(row, key)
        last = row.map { (key, $0) }
        return row
    }

    func storedDocument(at path: DocumentPath, in database: DatabaseID) throws -> StoredDocument? {
        guard let databaseRow = try row(of: database),
            let collection = try row(of: path.collection, in: databaseRow)
        else { return nil }
        return try db.storedDocument(at: path, in: collection)
    }

    func makeRow(of database: DatabaseID) throws -> Int64 {
        if let row = try row(of: database) { return row }
        try db.run(.insertDatabase) { statement in
            statement.bind(database.project, at: 1)
            statement.bind(database.database, at: 2)
        }
        databases[database] = db.lastInsertedRow
        return db.lastInsertedRow
    }

    func makeRow(of collection: CollectionPath, in database: Int64) throws -> Int64 {
        if let row = try row(of: collection, in: database) { return row }
        try db.run(.insertCollection) { statement in
            statement.bind(database, at: 1)
            statement.bind(OrderedKey(collection).bytes, at: 2)
            statement.bind(Array(collection.id.utf8), at: 3)
        }
        remember(db.lastInsertedRow, CollectionKey(database: database, path: collection))
        return db.lastInsertedRow
    }

    private func remember(_ row: Int64?, _ key: CollectionKey) {
        if collections.count >= Self.collectionCountMax { collections = [:] }
        collections[key] = row
    }

    /// To be called once the transaction is committed.
    func publish() {
        // The closures return a row that is there, so neither can throw.
        for (database, row) in databases {
            _ = try? caches.row(of: database) { row }
        }
        for (key, row) in collections {
            _ = try? caches.row(of: key.path, in: key.database) { row }
        }
    }
}
