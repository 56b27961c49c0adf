// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// A multipart upload that has begun.
struct PartedUpload {
    let path: ObjectPath
    let attributes: ObjectAttributes
    let customerKeyHash: String?
}

/// The statements on multipart uploads and their parts.
struct PartTable {
    let database: Database

    private static let columns = "number, blob, byteCount, md5, crc32c, time"

    func begin(_ upload: PartedUpload, id: String, now: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO partedUpload (id, timeCreated, bucket, name, attributes, customerKeyHash)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(
            arguments: [
                id, now, upload.path.bucket.description, upload.path.name.data,
                try JSONColumn.encode(upload.attributes), upload.customerKeyHash,
            ]
        )
    }

    /// Returns an upload; throws `noSuchUpload` when there is none of this id for this object.
    func upload(_ id: String, of path: ObjectPath) throws -> PartedUpload {
        let statement = try database.cachedStatement(
            sql: "SELECT attributes, customerKeyHash FROM partedUpload WHERE id = ? AND bucket = ? AND name = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [id, path.bucket.description, path.name.data]),
            let attributes: ObjectAttributes = try JSONColumn.decode(row[0])
        else { throw PartStoringError.noSuchUpload }
        return PartedUpload(path: path, attributes: attributes, customerKeyHash: row[1])
    }

    /// Returns the parts behind a number in their order.
    func parts(of id: String, after number: Int, countMax: Int) throws -> [StoredPart] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM part WHERE uploadID = ? AND number > ? ORDER BY number LIMIT ?"
        )
        return try Row.fetchAll(statement, arguments: [id, number, countMax]).map(StoredPart.init)
    }

    /// Stores a part; returns the blob of the one of its number that it replaces.
    func put(_ part: StoredPart, in id: String) throws -> BlobID? {
        let former = try String.fetchOne(
            database.cachedStatement(sql: "SELECT blob FROM part WHERE uploadID = ? AND number = ?"),
            arguments: [id, part.number]
        )
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO part (uploadID, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        try statement.execute(
            arguments: [
                id, part.number, part.blob.description, part.byteCount, Data(part.digest.md5 ?? []),
                part.digest.crc32c, part.time,
            ]
        )
        return former.flatMap(BlobID.init)
    }

    /// Forgets an upload; returns the blobs of its parts.
    func delete(_ id: String) throws -> [BlobID] {
        let blobs = try String.fetchAll(
            database,
            sql: "DELETE FROM part WHERE uploadID = ? RETURNING blob",
            arguments: [id]
        )
        try database.execute(sql: "DELETE FROM partedUpload WHERE id = ?", arguments: [id])
        return blobs.compactMap(BlobID.init)
    }

    /// Forgets the uploads that were begun before a time; their blobs are left to the sweep.
    func deleteAll(before time: Int64) throws {
        try database.execute(
            sql: "DELETE FROM part WHERE uploadID IN (SELECT id FROM partedUpload WHERE timeCreated < ?)",
            arguments: [time]
        )
        try database.execute(sql: "DELETE FROM partedUpload WHERE timeCreated < ?", arguments: [time])
    }
}

extension StoredPart {
    fileprivate init(_ row: Row) throws {
        guard let blob = BlobID(row[1]) else { throw ObjectStoreError.rowUnreadable("part") }
        let md5: Data = row[3]
        self.init(
            number: row[0],
            byteCount: row[2],
            digest: ObjectDigest(md5: Array(md5), crc32c: row[4]),
            time: row[5],
            blob: blob
        )
    }
}
