// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// The statements on the versions of a bucket's objects; every one is prepared once per connection.
struct ObjectTable {
    let database: Database
    let bucket: BucketRow

    private static let selectRow = """
        SELECT \(ObjectRow.columns), \(ObjectRow.noRetirement) FROM object WHERE bucketID = ? AND name = ?
        """
    private static let selectVersion = """
        SELECT \(ObjectRow.columns), \(ObjectRow.retirement) FROM noncurrent
        WHERE bucketID = ? AND name = ? AND generation = ?
        """
    private static let putRow =
        "INSERT OR REPLACE INTO object (\(ObjectRow.columns)) VALUES (\(ObjectRow.placeholders))"
    private static let putVersion = """
        INSERT OR REPLACE INTO noncurrent (\(ObjectRow.columns), \(ObjectRow.retirement))
        VALUES (\(ObjectRow.placeholders), ?, ?)
        """

    /// Returns `nil` when there is no such bucket.
    init?(_ database: Database, bucket: BucketName) throws {
        guard let row = try BucketTable(database: database).row(bucket) else { return nil }
        self.init(database, bucket: row)
    }

    init(_ database: Database, bucket: BucketRow) {
        self.database = database
        self.bucket = bucket
    }

    /// Returns a version of an object: the live one where no generation is named.
    func row(_ name: ObjectName, generation: Int64? = nil) throws -> ObjectRow? {
        let live = try fetch(Self.selectRow, arguments: [bucket.id, name.data])
        guard let generation, live?.metadata.generation != generation else { return live }
        return try fetch(Self.selectVersion, arguments: [bucket.id, name.data, generation])
    }

    private func fetch(_ sql: String, arguments: StatementArguments) throws -> ObjectRow? {
        let statement = try database.cachedStatement(sql: sql)
        return try Row.fetchOne(statement, arguments: arguments).map { try ObjectRow($0, bucket: bucket.metadata) }
    }

    /// Stores a version where it belongs: among the live ones, or among the others.
    func put(_ row: ObjectRow) throws {
        let arguments = try row.arguments(bucketID: bucket.id)
        if let retirement = row.metadata.retirement {
            let statement = try database.cachedStatement(sql: Self.putVersion)
            try statement.execute(arguments: arguments + [retirement.time, retirement.restorableUntil])
        } else {
            try database.cachedStatement(sql: Self.putRow).execute(arguments: arguments)
        }
    }

    /// Removes a version; whether its bytes go too is for the caller to ask.
    func delete(_ row: ObjectRow) throws {
        let name = row.metadata.name.data
        if row.metadata.retirement == nil {
            let statement = try database.cachedStatement(sql: "DELETE FROM object WHERE bucketID = ? AND name = ?")
            try statement.execute(arguments: [bucket.id, name])
        } else {
            let statement = try database.cachedStatement(
                sql: "DELETE FROM noncurrent WHERE bucketID = ? AND name = ? AND generation = ?"
            )
            try statement.execute(arguments: [bucket.id, name, row.metadata.generation])
        }
    }

    /// Whether the bucket has no versions but softly deleted ones.
    func isEmpty() throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM object WHERE bucketID = ?1)
                OR EXISTS (SELECT 1 FROM noncurrent WHERE bucketID = ?1 AND restorableUntil IS NULL)
                """
        )
        return try Row.fetchOne(statement, arguments: [bucket.id]) == nil
    }
}

extension ObjectTable {
    /// Takes the live version from its place and keeps it as the bucket's settings require.
    func retire(_ row: ObjectRow, at now: Int64) throws {
        let settings = bucket.metadata.settings
        try delete(row)
        guard settings.isVersioned || settings.softDeleteSeconds > 0 else { return }
        var retired = row
        let end = settings.isVersioned ? nil : now + settings.softDeleteSeconds * 1_000_000
        retired.metadata.retirement = ObjectRetirement(time: now, restorableUntil: end)
        try put(retired)
    }

    /// Removes a version that a request names by its generation: for good, or softly where the bucket says so.
    func remove(_ row: ObjectRow, at now: Int64) throws {
        let seconds = bucket.metadata.settings.softDeleteSeconds
        try delete(row)
        guard seconds > 0, row.metadata.retirement?.restorableUntil == nil else { return }
        var removed = row
        let time = row.metadata.retirement?.time ?? now
        removed.metadata.retirement = ObjectRetirement(time: time, restorableUntil: now + seconds * 1_000_000)
        try put(removed)
    }

    /// Returns a blob that no version names; `nil` for one that some version, in any bucket, still names.
    func unnamed(_ blob: BlobID) throws -> BlobID? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM object WHERE blob = ?1)
                OR EXISTS (SELECT 1 FROM noncurrent WHERE blob = ?1)
                """
        )
        return try Row.fetchOne(statement, arguments: [blob.description]) == nil ? blob : nil
    }

    /// Removes the softly deleted versions of the bucket; returns the blobs that no version names any more.
    func deleteAll() throws -> [BlobID] {
        let blobs = try String.fetchAll(
            database,
            sql: "DELETE FROM noncurrent WHERE bucketID = ? RETURNING blob",
            arguments: [bucket.id]
        )
        return try Set(blobs).compactMap { try BlobID($0).flatMap(unnamed) }
    }
}
