// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// Opens the database file and brings its tables up to date.
enum StoreOpening {
    static func open(_ location: StoreLocation, durability: StoreDurability) throws -> any DatabaseWriter {
        switch location {
        case .memory:
            return try prepared(DatabaseQueue(configuration: configuration), durability)
        case .file(let url):
            do {
                let pool = try DatabasePool(path: url.path, configuration: configuration)
                guard try !pool.read(StoreSchema.migrator.hasBeenSuperseded) else {
                    throw DocumentStoreError.writtenByNewerVersion(url.path)
                }
                return try prepared(pool, durability)
            } catch let error as DatabaseError {
                let reason = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
                throw DocumentStoreError.cannotOpen(url.path, reason: reason)
            }
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "firemeter.documents"
        // Another process may be reading the file, such as a backup.
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// For the one connection that writes: a large commit touches many index pages.
    private static let writerCacheKibibytes = 16_384

    private static func prepared<Writer: DatabaseWriter>(
        _ writer: Writer,
        _ durability: StoreDurability
    ) throws -> Writer {
        try StoreSchema.migrator.migrate(writer)
        // Only now: opening a pool sets the mode it thinks best for WAL, which may lose commits in a power cut.
        try writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = \(durability.pragma)")
            // Negative counts kibibytes.
            try db.execute(sql: "PRAGMA cache_size = -\(writerCacheKibibytes)")
        }
        return writer
    }
}

extension StoreDurability {
    fileprivate var pragma: String {
        switch self {
        case .full: "FULL"
        case .relaxed: "NORMAL"
        }
    }
}
