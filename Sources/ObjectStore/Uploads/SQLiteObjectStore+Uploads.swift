// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Begins an upload.
    package func beginUpload() throws -> ObjectUpload {
        try ObjectUpload(store: self)
    }

    func append(_ bytes: UnsafeRawBufferPointer, to progress: inout ObjectUpload.Progress) throws {
        let byteCount = progress.byteCount + Int64(bytes.count)
        guard byteCount <= configuration.objectByteCountMax else {
            throw ObjectStoreError.tooLarge(limit: configuration.objectByteCountMax)
        }
        try progress.file.append(bytes)
        try progress.hasher.update(bytes)
        progress.byteCount = byteCount
    }

    /// Makes a staged blob the object at a path and removes the blob it replaces.
    func put(
        _ blob: StagedBlob,
        at path: ObjectPath,
        attributes: ObjectAttributes,
        preconditions: ObjectPreconditions
    ) throws -> ObjectMetadata {
        var isCommitting = false
        do {
            let (stored, replaced) = try writing { database in
                let result = try replaceRow(database, blob, path, attributes, preconditions)
                isCommitting = true
                return result
            }
            // Only now: until the commit the old row may come back. Open readers keep the file.
            if let replaced { directory.discardBlob(replaced) }
            return stored
        } catch {
            // A failed COMMIT may still be found committed after a crash; then the row needs its blob.
            // If not, the blob is swept when the store is next opened.
            if !isCommitting { directory.discardBlob(blob.id) }
            throw error
        }
    }

    private func replaceRow(
        _ database: Database,
        _ blob: StagedBlob,
        _ path: ObjectPath,
        _ attributes: ObjectAttributes,
        _ preconditions: ObjectPreconditions
    ) throws -> (stored: ObjectMetadata, replaced: BlobID?) {
        let now = clock()
        let table = try objectTable(database, creating: path.bucket, now: now)
        let existing = try table.row(path.name)
        try preconditions.check(existing?.metadata, at: path)
        let metadata = ObjectMetadata(
            path: path,
            generation: try nextGeneration(database, now: now),
            metageneration: 1,
            byteCount: blob.byteCount,
            digest: blob.digest,
            attributes: attributes,
            timeCreated: now,
            updated: now
        )
        try table.put(ObjectRow(metadata: metadata, blob: blob.id))
        return (metadata, existing?.blob)
    }

    private func objectTable(_ database: Database, creating bucket: BucketName, now: Int64) throws -> ObjectTable {
        if let table = try ObjectTable(database, bucket: bucket) { return table }
        let id = try BucketTable(database: database).insert(BucketMetadata(name: bucket, timeCreated: now))
        return ObjectTable(database, bucket: bucket, bucketID: id)
    }

    /// Takes the time, or one more than the last generation when the clock stands still or was put back.
    private func nextGeneration(_ database: Database, now: Int64) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "UPDATE clock SET lastGeneration = max(lastGeneration + 1, ?) RETURNING lastGeneration"
        )
        guard let generation = try Int64.fetchOne(statement, arguments: [now]) else {
            throw ObjectStoreError.rowUnreadable("generation")
        }
        return generation
    }
}
