// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DataFiles
import GRDB

/// Buckets and objects: bytes in files, metadata in SQLite.
///
/// Every method is synchronous and may be called from any thread; the caller chooses one that may wait for a disk.
/// One process at a time has a directory open. When a write returns, it is durable; when it throws, nothing changed.
package final class SQLiteObjectStore: Sendable {
    /// Returns the time in microseconds since the Unix epoch.
    package typealias Clock = @Sendable () -> Int64

    /// The limits and the durability.
    package let configuration: ObjectStoreConfiguration
    let directory: StoreDirectory
    let clock: Clock
    let resumables = ResumableUploads()
    let stamps = ObjectStamps()
    let events = ObjectEvents()
    private let pool: DatabasePool

    /// A sixth of the space that is kept for deletions is for the log of the database.
    private static let reservePart: Int64 = 6
    private static let pageByteCount: Int64 = 4_096
    /// SQLite's own limit of the log, in pages.
    private static let checkpointPageCount: Int64 = 1_000

    /// Opens the store in a directory, which is created if need be.
    ///
    /// Throws `directoryInUse` when another store has it open, `directoryNotWritable`, `diskFull` and `corrupt`. What
    /// deletions take on a full disk comes from `reserve`.
    package init(
        directory path: String,
        clock: @escaping Clock,
        configuration: ObjectStoreConfiguration = ObjectStoreConfiguration(),
        reserve: SpaceReserve = .none
    ) throws {
        self.configuration = configuration
        self.clock = clock
        directory = try StoreDirectory(path: path, durability: configuration.durability, reserve: reserve)
        pool = try reserve.deleting(isFault: Self.isOfDisk) { [directory] in
            try Self.openDatabase(directory.databasePath, durability: configuration.durability, reserve: reserve)
        }
        try Self.translating { [pool, stamps] in try pool.writeWithoutTransaction { try stamps.watch($0) } }
        try directory.synchronize()
        try removeExpired()
        try sweep()
    }

    /// Closes the database and lets another store open the directory; what is called afterwards fails.
    package func close() throws {
        try Self.translating { try pool.close() }
        directory.unlock()
    }

    deinit {
        // Before the lock goes with the directory, so that the next store finds the log checkpointed.
        try? pool.close()
    }

    private static func openDatabase(
        _ path: String,
        durability: ObjectStoreConfiguration.Durability,
        reserve: SpaceReserve
    ) throws -> DatabasePool {
        OwnFiles.prepareDatabase(path)
        return try translating {
            let pool = try DatabasePool(path: path)
            // After opening: the pool itself sets NORMAL, which may lose the last commits with the machine.
            let synchronous = durability == .full ? "FULL" : "OFF"
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous)") }
            if reserve.byteCount > 0 {
                let pages = min(checkpointPageCount, reserve.byteCount / reservePart / pageByteCount)
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)") }
            }
            try ObjectSchema.migrator.migrate(pool)
            return pool
        }
    }

    /// The time, in microseconds since the Unix epoch.
    package var now: Int64 { clock() }

    /// Reads one consistent state; readers never wait.
    func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating { try pool.read(body) }
    }

    /// The purpose of a transaction.
    package enum Purpose {
        /// Something new, which must leave the space that is kept for deleting.
        case storing
        /// Setting space free, for which there is space.
        case deleting
    }

    /// Runs a transaction, whose writers wait for each other; the body of one that deletes may be run twice.
    func writing<Value>(_ purpose: Purpose = .storing, _ body: (Database) throws -> Value) throws -> Value {
        switch purpose {
        case .storing:
            try directory.requireRoom()
            return try transaction(body)
        case .deleting:
            return try directory.reserve.deleting(isFault: Self.isOfDisk, tidy: shortenLog) { try transaction(body) }
        }
    }

    private static func isOfDisk(_ error: any Error) -> Bool { (error as? ObjectStoreError)?.isOfDisk ?? false }

    /// Copies the log into the database and gives its space back, if no reader needs it.
    private func shortenLog() {
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    /// Reports changes from now on, in their order and once they are committed.
    ///
    /// - Parameter observer: Takes a change; writers wait for it, and it must not call the store.
    package func observe(_ observer: @escaping @Sendable (ObjectEvent) -> Void) { events.observe(observer) }

    private func transaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating {
            try pool.writeWithoutTransaction { database in
                // Here, where the next writer still waits.
                defer { stamps.transactionEnded() }
                var isCommitted = false
                defer { events.transactionEnded(isCommitted: isCommitted) }
                var value: Value?
                try database.inTransaction {
                    value = try body(database)
                    return .commit
                }
                isCommitted = true
                guard let value else { preconditionFailure("a committed transaction has a value") }
                return value
            }
        }
    }

    private static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw ObjectStoreError.database(error)
        }
    }
}
