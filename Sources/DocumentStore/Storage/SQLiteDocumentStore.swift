// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import NIOConcurrencyHelpers

/// Firestore's databases in one SQLite file.
///
/// Methods block the calling thread and may be called from any. Reads see one consistent snapshot and,
/// on a file, never wait for writers; writes are serialized. All throw `DocumentStoreError` only.
package final class SQLiteDocumentStore: Sendable {
    let database: any DatabaseWriter
    private let timeline: Timeline
    private let observers = NIOLockedValueBox<[any ChangeObserving]>([])

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

    /// Tells an observer of every commit from now on, for as long as the store lives.
    package func addObserver(_ observer: any ChangeObserving) {
        observers.withLockedValue { $0.append(observer) }
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

    /// Reads as of a time, or the latest state without one.
    ///
    /// - Throws: `DocumentStoreError` for a time in the future or more than an hour ago.
    func read<Result>(
        at time: Timestamp?,
        of database: DatabaseID,
        _ body: (ReadSession) throws -> Result
    ) throws -> Result {
        guard let time else { return try read(body) }
        guard time == time.truncatedToMicroseconds else { throw DocumentStoreError.readTimeTooPrecise }
        return try read { session in
            guard time <= session.readTime else { throw DocumentStoreError.readTimeInTheFuture }
            try session.refuseForgotten(time, of: database)
            let isLatest = try session.lastCommitTime() <= time
            return try body(ReadSession(db: session.db, readTime: time, past: isLatest ? nil : time))
        }
    }

    /// Runs a body in a transaction of its own and tells the observers what it changed.
    func write<Result>(_ body: (WriteSession) throws -> (Result, CommittedChanges?)) throws -> Result {
        var time: Timestamp?
        var isDurable = false
        defer {
            if let time {
                timeline.endCommit(time, isDurable: isDurable)
            }
        }
        return try Self.translatingErrors {
            try database.writeWithoutTransaction { db in
                var outcome: (result: Result, changes: CommittedChanges?)?
                try db.inTransaction(.immediate) {
                    let commitTime = timeline.beginCommit(after: try db.lastCommitTime())
                    time = commitTime
                    try db.setLastCommitTime(commitTime)
                    outcome = try body(WriteSession(db: db, commitTime: commitTime))
                    return .commit
                }
                isDurable = true
                guard let outcome else { preconditionFailure("a transaction that committed has run its body") }
                if let changes = outcome.changes { tell(changes) }
                return outcome.result
            }
        }
    }

    /// Still within the turn of the writer, so that no other commit comes in between.
    private func tell(_ changes: CommittedChanges) {
        for observer in observers.withLockedValue(\.self) {
            observer.didCommit(changes)
        }
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
    func lastCommitTime() throws -> Timestamp {
        let statement = try cachedStatement(sql: "SELECT commit_time FROM timeline")
        return Timestamp(microseconds: try Int64.fetchOne(statement) ?? 0)
    }

    fileprivate func setLastCommitTime(_ time: Timestamp) throws {
        try cachedStatement(sql: "UPDATE timeline SET commit_time = ?").execute(arguments: [time.microseconds])
    }
}
