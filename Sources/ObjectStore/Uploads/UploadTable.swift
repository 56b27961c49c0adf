// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A row of the table of resumable uploads.
struct UploadRow: Sendable {
    enum State: Hashable, Sendable {
        case active
        case cancelled
        case completed(ObjectPath, generation: Int64)
    }

    let id: UploadID
    let request: String
    let state: State
}

/// The statements on resumable uploads.
struct UploadTable {
    let database: Database

    func row(_ id: UploadID) throws -> UploadRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT request, isCancelled, bucket, name, generation FROM upload WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id.description]).map { row in
            UploadRow(id: id, request: row[0], state: try Self.state(row))
        }
    }

    private static func state(_ row: Row) throws -> UploadRow.State {
        guard let bucket: String = row[2] else { return row[1] ? .cancelled : .active }
        let name = String(decoding: row[3] as Data, as: UTF8.self)
        guard let path = ObjectPath(bucket: bucket, name: name) else { throw ObjectStoreError.rowUnreadable("upload") }
        return .completed(path, generation: row[4])
    }

    func insert(_ id: UploadID, request: String, now: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO upload (id, timeCreated, request) VALUES (?, ?, ?)"
        )
        try statement.execute(arguments: [id.description, now, request])
    }

    func cancel(_ id: UploadID) throws {
        let statement = try database.cachedStatement(sql: "UPDATE upload SET isCancelled = 1 WHERE id = ?")
        try statement.execute(arguments: [id.description])
    }

    func complete(_ id: UploadID, with object: ObjectMetadata) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE upload SET bucket = ?, name = ?, generation = ? WHERE id = ?"
        )
        try statement.execute(
            arguments: [object.bucket.description, object.name.data, object.generation, id.description]
        )
    }

    /// Forgets the uploads that were begun before a time.
    func deleteAll(before time: Int64) throws {
        try database.execute(sql: "DELETE FROM upload WHERE timeCreated < ?", arguments: [time])
    }

    /// The uploads that bytes may be appended to.
    func active() throws -> [UploadID] {
        let sql = "SELECT id FROM upload WHERE isCancelled = 0 AND generation IS NULL"
        return try String.fetchAll(database, sql: sql).compactMap { BlobID($0).map(UploadID.init) }
    }

    /// Whether there is an upload that bytes may be appended to.
    func isActive(_ id: UploadID) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM upload WHERE id = ? AND isCancelled = 0 AND generation IS NULL"
        )
        return try Row.fetchOne(statement, arguments: [id.description]) != nil
    }
}
