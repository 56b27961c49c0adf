// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import FirestoreModel

package import struct Foundation.URL

/// Opens the database file and makes its tables.
enum StoreOpening {
    static func open(
        _ location: StoreLocation,
        durability: StoreDurability,
        reserve: SpaceReserve,
        at time: Timestamp
    ) throws -> Connections {
        switch location {
        case .memory:
            return Connections(memory: try preparing(":memory:", durability: durability, reserve: .none, at: time))
        case .file(let url):
            OwnFiles.prepareDatabase(url.path)
            do {
                return Connections(
                    file: url.path,
                    writer: try preparing(url.path, durability: durability, reserve: reserve, at: time)
                )
            } catch let error as SQLiteError {
                throw FirestoreError.cannotOpen(url.path, reason: error.reason)
            }
        }
    }

    private static func preparing(
        _ path: String,
        durability: StoreDurability,
        reserve: SpaceReserve,
        at time: Timestamp
    ) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path)
        // Has an effect on a new file only.
        try connection.execute("PRAGMA page_size = \(Tuning.pageByteCount)")
        for setting in Tuning.writerSettings(durability, reserve: reserve) {
            try connection.execute(setting)
        }
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try checkVersion(of: connection, path: path, at: time)
            try connection.execute("COMMIT")
        } catch {
            // SQLite has rolled back by itself after some errors, and refuses a second time; the first error is the one to
            // report.
            try? connection.execute("ROLLBACK")
            throw error
        }
        return connection
    }

    private static func checkVersion(of connection: SQLiteConnection, path: String, at time: Timestamp) throws {
        let version = try connection.value("PRAGMA user_version")
        if version == StoreSchema.version { return }
        guard version < StoreSchema.version else { throw FirestoreError.writtenByNewerVersion(path) }
        guard try version == 0 && connection.value("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw FirestoreError.writtenByOlderVersion(path)
        }
        for statement in StoreSchema.statements {
            try connection.execute(statement)
        }
        let now = time.truncatedToMicroseconds.microseconds
        try connection.execute(
            """
            INSERT INTO timeline (id, commit_time, catalog, began, versions_since) VALUES (1, 0, 0, \(now), 0)
            """
        )
    }
}

extension SQLiteConnection {
    /// The first column of the first row; 0 without any.
    func value(_ sql: String) throws -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(at: 0) : 0
    }
}

/// Where a store keeps its data.
package enum StoreLocation: Sendable {
    /// A database file, created when missing; its directory must exist.
    case file(URL)
    /// Gone with the store. Reads wait for writes, and for one another.
    case memory
}

/// When a commit is acknowledged.
package enum StoreDurability: Sendable {
    /// After the disk confirmed it: survives a power cut.
    case full
    /// When all reads see it; it is written to the file some milliseconds later, with others, and by the time the store
    /// is closed. For a store that goes with its process.
    case deferred
}
