// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// The statements on objects; every one is prepared once per connection.
struct ObjectTable {
    let database: Database
    let bucket: BucketName
    let bucketID: Int64

    private static let selectRow = "SELECT \(ObjectRow.columns) FROM object WHERE bucketID = ? AND name = ?"
    static let selectRows = """
        SELECT \(ObjectRow.columns) FROM object WHERE bucketID = ? AND name >= ? AND name < ? ORDER BY name
        """
    private static let putRow =
        "INSERT OR REPLACE INTO object (\(ObjectRow.columns)) VALUES (\(ObjectRow.placeholders))"

    /// Returns `nil` when there is no such bucket.
    init?(_ database: Database, bucket: BucketName) throws {
        guard let id = try BucketTable(database: database).id(of: bucket) else { return nil }
        self.init(database, bucket: bucket, bucketID: id)
    }

    init(_ database: Database, bucket: BucketName, bucketID: Int64) {
        self.database = database
        self.bucket = bucket
        self.bucketID = bucketID
    }

    func row(_ name: ObjectName) throws -> ObjectRow? {
        let statement = try database.cachedStatement(sql: Self.selectRow)
        return try Row.fetchOne(statement, arguments: [bucketID, name.data]).map { try ObjectRow($0, bucket: bucket) }
    }

    /// Returns the rows from a name up to, but without, another, in the order of their bytes.
    ///
    /// The cursor belongs to the one prepared statement: finish with it before asking for the next.
    func rows(from lower: Data, below upper: Data) throws -> RowCursor {
        let statement = try database.cachedStatement(sql: Self.selectRows)
        return try Row.fetchCursor(statement, arguments: [bucketID, lower, upper])
    }

    func put(_ row: ObjectRow) throws {
        let statement = try database.cachedStatement(sql: Self.putRow)
        try statement.execute(arguments: row.arguments(bucketID: bucketID))
    }

    func delete(_ name: ObjectName) throws {
        let statement = try database.cachedStatement(sql: "DELETE FROM object WHERE bucketID = ? AND name = ?")
        try statement.execute(arguments: [bucketID, name.data])
    }

    func isEmpty() throws -> Bool {
        let statement = try database.cachedStatement(sql: "SELECT 1 FROM object WHERE bucketID = ? LIMIT 1")
        return try Row.fetchOne(statement, arguments: [bucketID]) == nil
    }
}
