// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import GRDB

/// Objects on their way in from another store, within one transaction.
package struct ObjectImport {
    /// Hands out the bytes of an object piece by piece, in their order.
    package typealias Reading = (_ take: (UnsafeRawBufferPointer) throws -> Void) throws -> Void

    let store: SQLiteObjectStore
    let database: Database
    let notes: BlobNotes

    /// Creates a bucket unless there is one of this name.
    package func ensureBucket(_ name: BucketName) throws {
        _ = try store.objectTable(database, creating: name, now: store.now)
    }

    /// Stores an object; new generations of the store come after its.
    ///
    /// Throws `hashMismatch` for bytes that are not the expected ones, `tooLarge`, `invalidAttribute`, and
    /// `alreadyImported` for a second object of the same name.
    package func store(_ object: ImportedObject, reading read: Reading) throws -> ObjectMetadata {
        precondition((1...ImportedObject.generationMax).contains(object.generation ?? 1), "a generation out of range")
        precondition(object.metageneration > 0, "metagenerations begin with 1 (is \(object.metageneration))")
        let limit = store.configuration.objectByteCountMax
        var bytes = try StagedBytes(in: store.directory, byteCountMax: limit)
        do {
            try read { try bytes.append($0) }
            let digest = try bytes.finishHashing()
            try check(bytes, digest: digest, object: object)
            try notes.note(bytes.id, as: .placed)
            try bytes.place()
            return try put(object, bytes: bytes, digest: digest)
        } catch {
            bytes.discard()
            throw error
        }
    }

    private func check(_ bytes: StagedBytes, digest: ObjectDigest, object: ImportedObject) throws {
        if let expected = object.byteCount, expected != bytes.byteCount {
            throw ObjectStoreError.sizeMismatch(expected: expected, actual: bytes.byteCount)
        }
        try object.expected.check(digest)
    }

    private func put(_ object: ImportedObject, bytes: StagedBytes, digest: ObjectDigest) throws -> ObjectMetadata {
        let now = store.now
        let table = try store.objectTable(database, creating: object.path.bucket, now: now)
        let generation = try object.generation ?? store.nextGeneration(database, now: now)
        var version = try ObjectMetadata(object, bytes: bytes, digest: digest, generation: generation, now: now)
        let settings = table.bucket.metadata.settings
        version.attributes.storageClass = version.attributes.storageClass ?? settings.storageClass
        try version.attributes.validate()
        version.retain(asRequiredBy: settings)
        try makeRoom(for: version, in: table, now: now)
        try store.advanceClock(database, past: generation)
        try table.put(ObjectRow(metadata: version, blob: bytes.id))
        return version
    }

    /// Retires the live version of the name, and removes any that has the same generation.
    private func makeRoom(for version: ObjectMetadata, in table: ObjectTable, now: Int64) throws {
        var gone: [BlobID] = []
        if let same = try table.row(version.name, generation: version.generation) {
            try requireOlder(same)
            try store.requireRemovable(same.metadata, at: now)
            try table.delete(same)
            gone.append(same.blob)
        }
        if let live = try table.row(version.name) {
            try requireOlder(live)
            try store.requireRemovable(live.metadata, at: now)
            try table.retire(live, at: now)
            gone.append(live.blob)
        }
        for blob in gone {
            if let blob = try table.unnamed(blob) { try notes.note(blob, as: .loose) }
        }
    }

    /// Throws when the version has come with this very import.
    private func requireOlder(_ row: ObjectRow) throws {
        guard try !notes.holds(row.blob, as: .placed) else {
            throw ObjectStoreError.alreadyImported(row.metadata.path)
        }
    }
}

extension SQLiteObjectStore {
    fileprivate func advanceClock(_ database: Database, past generation: Int64) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE clock SET lastGeneration = max(lastGeneration, ?)"
        )
        try statement.execute(arguments: [generation])
    }
}

extension SQLiteObjectStore {
    /// Removes all objects, versions, buckets, uploads and records; generations continue where they were.
    ///
    /// An upload that is being received stays one, and becomes an object of the empty store when it is committed.
    package func removeAll() throws {
        let uploads = try changingMany(.deleting) { database, notes in
            try notes.noteAll(as: .loose)
            let uploads = try UploadTable(database: database).active()
            for table in ["object", "noncurrent", "bucket", "upload", "part", "partedUpload", "record"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
            return uploads
        }
        resumables.forgetAll()
        for upload in uploads { directory.discardUpload(upload.blob) }
    }
}

extension ObjectReader {
    /// Hands out all the bytes in their order and returns their checksums, the MD5 of composed objects too.
    ///
    /// Throws `corrupt` when they are not the bytes that were stored.
    package func readVerified(_ take: (UnsafeRawBufferPointer) throws -> Void) throws -> ObjectDigest {
        var hasher = try ObjectHasher()
        let byteCount = try file.readAll { piece in
            try hasher.update(piece)
            try take(piece)
        }
        let digest = try hasher.finish()
        guard byteCount == metadata.byteCount, digest.crc32c == metadata.digest.crc32c,
            metadata.digest.md5 == nil || metadata.digest.md5 == digest.md5
        else { throw ObjectStoreError.blobAltered(metadata.path) }
        return digest
    }
}

/// Faults of objects that come from another store, or go to one.
extension ObjectStoreError {
    static func sizeMismatch(expected: Int64, actual: Int64) -> Self {
        Self(code: .hashMismatch, message: "the object has \(actual) bytes instead of \(expected)")
    }

    static func alreadyImported(_ path: ObjectPath) -> Self {
        Self(code: .alreadyImported, message: "\(path) is there twice; remove one of the two")
    }

    static let extrasUnreadable = Self(
        code: .invalidAttribute,
        message: "the rare attributes of the object are not in a form that an export of this program has"
    )

    static func blobAltered(_ path: ObjectPath) -> Self {
        Self(
            code: .corrupt,
            message: "the bytes of \(path) have changed on disk since they were stored; upload the object again"
        )
    }
}
