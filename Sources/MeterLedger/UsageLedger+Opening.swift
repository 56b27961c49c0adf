// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

extension UsageLedger {
    static func open(_ storage: Storage) throws -> any DatabaseWriter {
        switch storage {
        case .memory:
            try prepare { try DatabaseQueue() }
        case .directory(let path):
            try open(directory: path)
        }
    }

    private static func open(directory path: String) throws -> any DatabaseWriter {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw UsageLedgerError.directory(path, cause: error)
        }
        // A pool writes ahead and synchronises at checkpoints: usage need not outlive the machine.
        var configuration = Configuration()
        // Each has a page cache of 2 MB, and few ask for reports at once.
        configuration.maximumReaderCount = 2
        return try prepare { try DatabasePool(path: path + "/usage.sqlite", configuration: configuration) }
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
