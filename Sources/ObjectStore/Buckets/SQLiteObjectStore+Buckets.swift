// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// Creates a bucket; throws `bucketExists` when there is one of this name.
    package func createBucket(_ name: BucketName, settings: BucketSettings = BucketSettings()) throws -> BucketMetadata
    {
        try writing { database in
            let table = BucketTable(database: database)
            guard try table.row(name) == nil else { throw ObjectStoreError.bucketExists(name) }
            let bucket = BucketMetadata(name: name, timeCreated: clock(), settings: settings)
            return try table.insert(bucket).metadata
        }
    }

    /// Makes a deleted bucket again, as it was and without its objects; throws `bucketExists`.
    package func restoreBucket(_ bucket: BucketMetadata) throws -> BucketMetadata {
        try writing { database in
            let table = BucketTable(database: database)
            guard try table.row(bucket.name) == nil else { throw ObjectStoreError.bucketExists(bucket.name) }
            return try table.insert(bucket).metadata
        }
    }

    /// Returns the bucket of this name, which is created if need be.
    package func ensureBucket(_ name: BucketName) throws -> BucketMetadata {
        if let bucket = try bucket(named: name) { return bucket }
        return try writing { database in
            // Another thread may have created it since.
            let table = BucketTable(database: database)
            let row = try table.row(name) ?? table.insert(BucketMetadata(name: name, timeCreated: clock()))
            return row.metadata
        }
    }

    /// Returns a bucket; `nil` when there is none of this name.
    package func bucket(named name: BucketName) throws -> BucketMetadata? {
        try reading { try BucketTable(database: $0).row(name)?.metadata }
    }

    /// Returns the buckets whose names begin with a prefix and come after another name, in the order of their names.
    package func buckets(
        prefix: String = "",
        after last: String = "",
        count: Int = .max
    ) throws -> [BucketMetadata] {
        try reading { try BucketTable(database: $0).page(prefix: prefix, after: last, count: count) }
    }

    /// Changes a bucket's settings in one transaction; `nil` when there is none of this name.
    ///
    /// `change` is given the bucket as it is, and may throw to leave it so. What belongs to a bucket without being a part
    /// of its resource changes without a new metageneration.
    package func updateBucket(
        _ name: BucketName,
        isCounted: Bool = true,
        _ change: (BucketMetadata) throws -> BucketSettings
    ) throws -> BucketMetadata? {
        try writing { database in
            let table = BucketTable(database: database)
            guard var row = try table.row(name) else { return nil }
            row.metadata.settings = try change(row.metadata)
            if isCounted {
                row.metadata.metageneration += 1
                row.metadata.updated = clock()
            }
            try table.update(row)
            return row.metadata
        }
    }

    /// Deletes an empty bucket; `false` when there is none, throws `bucketNotEmpty` when it holds objects.
    ///
    /// Softly deleted objects go with it; `judge` is given the bucket, and may throw to keep it.
    package func deleteBucket(
        _ name: BucketName,
        _ judge: (BucketMetadata) throws -> Void = { _ in }
    ) throws -> Bool {
        try changing(.deleting) { database, unnamed in
            guard let table = try ObjectTable(database, bucket: name) else { return false }
            try judge(table.bucket.metadata)
            guard try table.isEmpty() else { throw ObjectStoreError.bucketNotEmpty(name) }
            unnamed += try table.deleteAll()
            try BucketTable(database: database).delete(table.bucket)
            return true
        }
    }
}
