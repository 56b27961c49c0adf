// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A version about to be stored: durable bytes and what is to be said of them.
struct ObjectPlacement {
    var blob: BlobID
    var byteCount: Int64
    var digest: ObjectDigest
    var attributes: ObjectAttributes
    var componentCount: Int?
    var customerKeyHash: String?
    var authorize: UploadPlacement.Authorization?
}

extension ObjectPlacement {
    /// The bytes and attributes of a version that is stored already.
    init(_ row: ObjectRow) {
        let object = row.metadata
        self.init(
            blob: row.blob,
            byteCount: object.byteCount,
            digest: object.digest,
            attributes: object.attributes,
            componentCount: object.componentCount,
            customerKeyHash: object.customerKeyHash
        )
    }
}

extension SQLiteObjectStore {
    /// Runs a transaction, and afterwards removes the blobs that it leaves without a name.
    func changing<Value>(
        _ purpose: Purpose = .storing,
        _ body: (Database, inout [BlobID]) throws -> Value
    ) throws -> Value {
        var unnamed: [BlobID] = []
        let value = try writing(purpose) { database in
            unnamed = []
            return try body(database, &unnamed)
        }
        // Only now: until the commit the old row may come back. Open readers keep the file.
        for blob in unnamed { directory.discardBlob(blob) }
        return value
    }

    /// Makes a version the live one of its name, within a transaction.
    func place(
        _ placement: ObjectPlacement,
        at path: ObjectPath,
        preconditions: ObjectPreconditions,
        database: Database,
        unnamed: inout [BlobID]
    ) throws -> ObjectMetadata {
        let now = clock()
        let table = try objectTable(database, creating: path.bucket, now: now)
        let existing = try table.row(path.name)
        let object = ObjectMetadata(
            placement,
            path: path,
            generation: try nextGeneration(database, now: now),
            now: now,
            bucket: table.bucket.metadata.settings
        )
        // First, so that a caller who is refused learns nothing of what is there.
        try placement.authorize?(existing?.metadata, object)
        try preconditions.check(existing?.metadata, at: path)
        if let existing { try requireRemovable(existing.metadata, at: now) }
        if let existing { try table.retire(existing, at: now) }
        try table.put(ObjectRow(metadata: object, blob: placement.blob))
        if let existing, table.bucket.metadata.settings.isVersioned { events.add(.archived, existing.metadata) }
        events.add(.finalized, object)
        if let existing, let blob = try table.unnamed(existing.blob) { unnamed.append(blob) }
        return object
    }

    /// Returns the table of a bucket, which is created if need be.
    func objectTable(_ database: Database, creating name: BucketName, now: Int64) throws -> ObjectTable {
        if let table = try ObjectTable(database, bucket: name) { return table }
        let bucket = BucketMetadata(name: name, timeCreated: now)
        return ObjectTable(database, bucket: try BucketTable(database: database).insert(bucket))
    }

    /// Takes the time, or one more than the last generation when the clock stands still or was put back.
    func nextGeneration(_ database: Database, now: Int64) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "UPDATE clock SET lastGeneration = max(lastGeneration + 1, ?) RETURNING lastGeneration"
        )
        guard let generation = try Int64.fetchOne(statement, arguments: [now]) else {
            throw ObjectStoreError.rowUnreadable("generation")
        }
        return generation
    }
}

extension ObjectMetadata {
    /// A new live version.
    fileprivate init(
        _ placement: ObjectPlacement,
        path: ObjectPath,
        generation: Int64,
        now: Int64,
        bucket: BucketSettings
    ) {
        self.init(
            path: path,
            generation: generation,
            metageneration: 1,
            byteCount: placement.byteCount,
            digest: placement.digest,
            attributes: placement.attributes,
            timeCreated: now,
            updated: now
        )
        attributes.storageClass = attributes.storageClass ?? bucket.storageClass
        if placement.customerKeyHash == nil { attributes.keyName = attributes.keyName ?? bucket.defaultKeyName }
        if bucket.hasDefaultEventBasedHold { attributes.hasEventBasedHold = true }
        componentCount = placement.componentCount
        customerKeyHash = placement.customerKeyHash
        retain(asRequiredBy: bucket)
    }
}
