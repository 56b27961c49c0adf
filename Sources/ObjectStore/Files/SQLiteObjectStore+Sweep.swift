// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import GRDB

extension SQLiteObjectStore {
    /// Removes what a dead process left: uploads that cannot be resumed, and blobs that no row names.
    ///
    /// Runs before the store is used and under its lock, so nothing it sees is still in use.
    func sweep() throws {
        let oldest = clock() - Self.resumableMicroseconds
        try writing(.deleting) { database in
            try UploadTable(database: database).deleteAll(before: oldest)
            try PartTable(database: database).deleteAll(before: oldest)
        }
        for name in try StoreFiles.names(in: directory.uploadsPath) {
            guard let blob = BlobID(name) else { continue }
            if try reading({ try UploadTable(database: $0).isActive(UploadID(blob)) }) { continue }
            try StoreFiles.remove(directory.uploadPath(blob))
        }
        for shard in try StoreFiles.names(in: directory.blobsPath) where shard.utf8.count == BlobID.shardDigitCount {
            try sweepShard(shard)
        }
    }

    // One shard at a time: memory holds a 256th of the names.
    private func sweepShard(_ shard: String) throws {
        let found = try StoreFiles.names(in: "\(directory.blobsPath)/\(shard)").compactMap { BlobID($0) }
        guard !found.isEmpty else { return }
        let named = try reading { database in
            // "g" sorts after every hexadecimal digit.
            let statement = try database.cachedStatement(
                sql: """
                    SELECT blob FROM object WHERE blob >= ?1 AND blob < ?2
                    UNION SELECT blob FROM noncurrent WHERE blob >= ?1 AND blob < ?2
                    UNION SELECT blob FROM part WHERE blob >= ?1 AND blob < ?2
                    """
            )
            return try String.fetchSet(statement, arguments: [shard, shard + "g"])
        }
        for blob in found where !named.contains(blob.description) {
            try StoreFiles.remove(directory.blobPath(blob))
        }
    }
}
