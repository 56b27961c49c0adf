// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The statements on buckets.
struct BucketTable {
    let database: Database

    func id(of name: BucketName) throws -> Int64? {
        let statement = try database.cachedStatement(sql: "SELECT id FROM bucket WHERE name = ?")
        return try Int64.fetchOne(statement, arguments: [name.description])
    }

    func metadata(of name: BucketName) throws -> BucketMetadata? {
        let statement = try database.cachedStatement(sql: "SELECT timeCreated FROM bucket WHERE name = ?")
        return try Int64.fetchOne(statement, arguments: [name.description])
            .map { BucketMetadata(name: name, timeCreated: $0) }
    }

    /// Returns all the buckets by name.
    func all() throws -> [BucketMetadata] {
        let statement = try database.cachedStatement(sql: "SELECT name, timeCreated FROM bucket ORDER BY name")
        return try Row.fetchAll(statement).map { row in
            guard let name = BucketName(row[0]) else { throw ObjectStoreError.rowUnreadable("bucket name") }
            return BucketMetadata(name: name, timeCreated: row[1])
        }
    }

    func insert(_ bucket: BucketMetadata) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "INSERT INTO bucket (name, timeCreated) VALUES (?, ?)")
        try statement.execute(arguments: [bucket.name.description, bucket.timeCreated])
        return database.lastInsertedRowID
    }

    func delete(_ name: BucketName) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM bucket WHERE name = ?")
        try statement.execute(arguments: [name.description])
    }
}
