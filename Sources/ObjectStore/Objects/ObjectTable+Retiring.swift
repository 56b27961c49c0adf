// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

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
