// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import DataFiles
import GRDB

extension UsageLedger {
    /// A sixth of the space that is kept for deletions is for the log of the meter.
    private static let reservePart: Int64 = 6
    private static let pageByteCount: Int64 = 4_096
    /// SQLite's own limit of the log, in pages.
    private static let checkpointPageCount: Int64 = 1_000

    /// A database that was opened, and how far it is.
    struct Opened {
        let database: any DatabaseWriter
        let writing: LedgerWriting
        let limits: UsageLedgerLimits
        /// Why it is not in the file where it was to be.
        var trouble: String?
    }

    /// Opens the database; in memory, with few records, where the disk has no room for what opening takes.
    static func opened(_ storage: Storage, limits: UsageLedgerLimits, reserve: SpaceReserve) throws -> Opened {
        func opened(_ storage: Storage, limits: UsageLedgerLimits, trouble: String?) throws -> Opened {
            let database = try open(storage, reserve: reserve)
            let writing = try translating { try LedgerWriting(resuming: database, limits: limits) }
            return Opened(database: database, writing: writing, limits: limits, trouble: trouble)
        }
        do {
            return try reserve.deleting(isFault: isOfDisk) { try opened(storage, limits: limits, trouble: nil) }
        } catch let error as UsageLedgerError where error.isOfFullDisk(storage) {
            var few = limits
            few.keptRowCountMax = min(limits.keptRowCountMax, keptRowCountMaxInMemory)
            few.trimmedRowCount = min(limits.trimmedRowCount, keptRowCountMaxInMemory)
            return try opened(.memory, limits: few, trouble: error.message)
        }
    }

    private static let keptRowCountMaxInMemory = 8_192

    private static func open(_ storage: Storage, reserve: SpaceReserve) throws -> any DatabaseWriter {
        switch storage {
        case .memory:
            try prepare { try DatabaseQueue() }
        case .directory(let path):
            try open(directory: path, reserve: reserve)
        }
    }

    private static func open(directory path: String, reserve: SpaceReserve) throws -> any DatabaseWriter {
        do {
            try FileSystem<FileFault>.createDirectories(path)
        } catch {
            throw UsageLedgerError.directory(path, because: error)
        }
        OwnFiles.prepareDatabase(path + "/usage.sqlite")
        // A pool writes ahead and synchronises at checkpoints: usage need not outlive the machine.
        var configuration = Configuration()
        // Each has a page cache of 2 MB, and few ask for reports at once.
        configuration.maximumReaderCount = 2
        return try prepare {
            let pool = try DatabasePool(path: path + "/usage.sqlite", configuration: configuration)
            if reserve.byteCount > 0 {
                let pages = min(checkpointPageCount, reserve.byteCount / reservePart / pageByteCount)
                try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)") }
            }
            return pool
        }
    }

    private static func prepare(_ make: () throws -> any DatabaseWriter) throws -> any DatabaseWriter {
        try translating {
            let database = try make()
            try LedgerSchema.migrator.migrate(database)
            return database
        }
    }

    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw UsageLedgerError.database(error)
        }
    }
}
