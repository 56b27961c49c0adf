// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Blobs noted in temporary tables of the writing connection, so that memory does not grow with their number.
///
/// Notes made in a transaction that is rolled back are gone with it, and all of them with the process.
struct BlobNotes {
    enum Kind {
        /// New blobs, which go when the transaction fails.
        case placed
        /// Blobs that no row names any more, which go when the transaction is committed.
        case loose
    }

    private let database: Database

    /// Begins without notes.
    init(_ database: Database) throws {
        self.init(kept: database)
        for kind in [Kind.placed, .loose] {
            try database.execute(sql: "CREATE TEMP TABLE IF NOT EXISTS \(kind) (blob TEXT PRIMARY KEY) WITHOUT ROWID")
            try clear(kind)
        }
    }

    /// Goes on with the notes of an earlier transaction.
    init(kept database: Database) {
        self.database = database
    }

    func note(_ blob: BlobID, as kind: Kind) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO temp.\(kind) VALUES (?)")
        try statement.execute(arguments: [blob.description])
    }

    /// Notes the blobs of every version and of every part.
    func noteAll(as kind: Kind) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO temp.\(kind)
                SELECT blob FROM object UNION SELECT blob FROM noncurrent UNION SELECT blob FROM part
                """
        )
    }

    func holds(_ blob: BlobID, as kind: Kind) throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM temp.\(kind) WHERE blob = ?")
        return try Row.fetchOne(statement, arguments: [blob.description]) != nil
    }

    func forEach(_ kind: Kind, _ body: (BlobID) -> Void) throws {
        let blobs = try String.fetchCursor(database, sql: "SELECT blob FROM temp.\(kind)")
        while let blob = try blobs.next() {
            if let blob = BlobID(blob) { body(blob) }
        }
    }

    func clear(_ kind: Kind) throws {
        try database.execute(sql: "DELETE FROM temp.\(kind)")
    }
}

extension SQLiteObjectStore {
    /// Runs a transaction that may leave any number of blobs without a name, which are removed afterwards.
    func changingMany<Value>(
        _ purpose: Purpose = .storing,
        _ body: (Database, BlobNotes) throws -> Value
    ) throws -> Value {
        let value = try writing(purpose) { database in try body(database, BlobNotes(database)) }
        // Files not removed here are swept when the store is next opened.
        try? writing(.deleting) { database in
            let notes = BlobNotes(kept: database)
            try notes.forEach(.loose) { directory.discardBlob($0) }
            try notes.clear(.loose)
        }
        return value
    }
}
