// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A row of the table of buckets.
struct BucketRow {
    let id: Int64
    var metadata: BucketMetadata
}

/// The statements on buckets.
struct BucketTable {
    let database: Database

    private static let columns = """
        id, name, timeCreated, updated, metageneration, isVersioned, softDeleteSeconds, retentionSeconds, \
        hasDefaultEventBasedHold, storageClass, configuration, defaultKeyName
        """

    func row(_ name: BucketName) throws -> BucketRow? {
        let statement = try database.cachedStatement(sql: "SELECT \(Self.columns) FROM bucket WHERE name = ?")
        return try Row.fetchOne(statement, arguments: [name.description]).map(BucketRow.init)
    }

    /// Returns the buckets whose names begin with a prefix and come after another name, in their order.
    func page(prefix: String, after last: String, count: Int) throws -> [BucketMetadata] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM bucket
                WHERE name > ?1 AND name >= ?2 AND substr(name, 1, length(?2)) = ?2 ORDER BY name LIMIT ?3
                """
        )
        return try Row.fetchAll(statement, arguments: [last, prefix, count]).map { try BucketRow($0).metadata }
    }

    func insert(_ bucket: BucketMetadata) throws -> BucketRow {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO bucket (\(Self.columns)) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        try statement.execute(arguments: BucketRow(id: 0, metadata: bucket).arguments)
        return BucketRow(id: database.lastInsertedRowID, metadata: bucket)
    }

    func update(_ row: BucketRow) throws {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE bucket SET (name, timeCreated, updated, metageneration, isVersioned, softDeleteSeconds,
                retentionSeconds, hasDefaultEventBasedHold, storageClass, configuration, defaultKeyName)
                = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?
                """
        )
        try statement.execute(arguments: row.arguments + [row.id])
    }

    func delete(_ row: BucketRow) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM bucket WHERE id = ?")
        try statement.execute(arguments: [row.id])
    }
}

extension BucketRow {
    fileprivate init(_ row: Row) throws {
        guard let name = BucketName(row[1]) else { throw ObjectStoreError.rowUnreadable("bucket name") }
        var settings = BucketSettings()
        settings.isVersioned = row[5]
        settings.softDeleteSeconds = row[6]
        settings.retentionSeconds = row[7]
        settings.hasDefaultEventBasedHold = row[8]
        settings.storageClass = row[9]
        settings.configuration = row[10]
        settings.defaultKeyName = row[11]
        var bucket = BucketMetadata(name: name, timeCreated: row[2], settings: settings)
        bucket.updated = row[3]
        bucket.metageneration = row[4]
        self.init(id: row[0], metadata: bucket)
    }

    fileprivate var arguments: StatementArguments {
        let settings = metadata.settings
        return [
            metadata.name.description, metadata.timeCreated, metadata.updated, metadata.metageneration,
            settings.isVersioned, settings.softDeleteSeconds, settings.retentionSeconds,
            settings.hasDefaultEventBasedHold, settings.storageClass, settings.configuration,
            settings.defaultKeyName,
        ]
    }
}
