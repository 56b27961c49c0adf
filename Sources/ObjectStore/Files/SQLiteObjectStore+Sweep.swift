// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Removes what a dead process left: unfinished uploads, and blobs that no row names.
    ///
    /// Runs before the store is used and under its lock, so nothing it sees is still in use.
    func sweep() throws {
        for name in try FileSystem.names(in: directory.uploadsPath) where BlobID(name) != nil {
            try FileSystem.remove("\(directory.uploadsPath)/\(name)")
        }
        for shard in try FileSystem.names(in: directory.blobsPath) where shard.utf8.count == BlobID.shardDigitCount {
            try sweepShard(shard)
        }
    }

    // One shard at a time: memory holds a 256th of the names.
    private func sweepShard(_ shard: String) throws {
        let found = try FileSystem.names(in: "\(directory.blobsPath)/\(shard)").compactMap { BlobID($0) }
        guard !found.isEmpty else { return }
        let named = try reading { database in
            // "g" sorts after every hexadecimal digit.
            let statement = try database.cachedStatement(sql: "SELECT blob FROM object WHERE blob >= ? AND blob < ?")
            return try String.fetchSet(statement, arguments: [shard, shard + "g"])
        }
        for blob in found where !named.contains(blob.description) {
            try FileSystem.remove(directory.blobPath(blob))
        }
    }
}
