// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Firestore's databases in one SQLite file.
///
/// Methods block the calling thread and may be called from any. Reads see one consistent snapshot and,
/// on a file, never wait for writers; writes are serialized. All throw `DocumentStoreError` only.
package final class SQLiteDocumentStore: Sendable {
    let database: any DatabaseWriter
    private let timeline: Timeline

    /// Opens or creates a store.
    ///
    /// The clock is the wall clock; commits are later than all before even when it stands still or goes back.
    ///
    /// - Throws: `DocumentStoreError` (unavailable) saying what is wrong with the location.
    package init(
        location: StoreLocation,
        clock: @escaping @Sendable () -> Timestamp,
        durability: StoreDurability = .full
    ) throws {
        let database = try Self.translatingErrors { try StoreOpening.open(location, durability: durability) }
        let lastCommit = try Self.translatingErrors { try database.read { try $0.lastCommitTime() } }
        self.database = database
        self.timeline = Timeline(clock: clock, lastCommit: lastCommit)
    }

    /// Closes the files, once calls under way are done; calls after this fail.
    package func close() throws {
        try Self.translatingErrors { try database.close() }
    }

    func read<Result>(_ body: (ReadSession) throws -> Result) throws -> Result {
        try Self.translatingErrors {
            try database.read { db in
                let readTime = timeline.readTime(seeing: try db.lastCommitTime())
                return try body(ReadSession(db: db, readTime: readTime))
            }
        }
    }

    func write<Result>(_ body: (WriteSession) throws -> Result) throws -> Result {
        var time: Timestamp?
        var isDurable = false
        defer {
            if let time {
                timeline.endCommit(time, isDurable: isDurable)
            }
        }
        let result = try Self.translatingErrors {
            try database.write { db in
                let commitTime = timeline.beginCommit(after: try db.lastCommitTime())
                time = commitTime
                try db.setLastCommitTime(commitTime)
                return try body(WriteSession(db: db, commitTime: commitTime))
            }
        }
        isDurable = true
        return result
    }

    private static func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw DocumentStoreError.databaseFailed(error)
        }
    }
}

extension Database {
    fileprivate func lastCommitTime() throws -> Timestamp {
        let statement = try cachedStatement(sql: "SELECT commit_time FROM timeline")
        return Timestamp(microseconds: try Int64.fetchOne(statement) ?? 0)
    }

    fileprivate func setLastCommitTime(_ time: Timestamp) throws {
        try cachedStatement(sql: "UPDATE timeline SET commit_time = ?").execute(arguments: [time.microseconds])
    }
}
