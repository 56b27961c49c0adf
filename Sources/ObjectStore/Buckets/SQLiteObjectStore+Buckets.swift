// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Creates a bucket; throws `bucketExists` when there is one of this name.
    package func createBucket(_ name: BucketName) throws -> BucketMetadata {
        try writing { database in
            guard try BucketTable(database: database).id(of: name) == nil else {
                throw ObjectStoreError.bucketExists(name)
            }
            return try insertBucket(name, database)
        }
    }

    /// Returns the bucket of this name, which is created if need be.
    package func ensureBucket(_ name: BucketName) throws -> BucketMetadata {
        if let bucket = try bucket(named: name) { return bucket }
        return try writing { database in
            // Another thread may have created it since.
            try BucketTable(database: database).metadata(of: name) ?? insertBucket(name, database)
        }
    }

    /// Returns a bucket; `nil` when there is none of this name.
    package func bucket(named name: BucketName) throws -> BucketMetadata? {
        try reading { try BucketTable(database: $0).metadata(of: name) }
    }

    /// Returns all the buckets by name.
    package func buckets() throws -> [BucketMetadata] {
        try reading { try BucketTable(database: $0).all() }
    }

    /// Deletes an empty bucket; `false` when there is none, throws `bucketNotEmpty` when it holds objects.
    package func deleteBucket(_ name: BucketName) throws -> Bool {
        try writing { database in
            guard let table = try ObjectTable(database, bucket: name) else { return false }
            guard try table.isEmpty() else { throw ObjectStoreError.bucketNotEmpty(name) }
            try BucketTable(database: database).delete(name)
            return true
        }
    }

    private func insertBucket(_ name: BucketName, _ database: Database) throws -> BucketMetadata {
        let bucket = BucketMetadata(name: name, timeCreated: clock())
        _ = try BucketTable(database: database).insert(bucket)
        return bucket
    }
}
