// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONWriting
import ObjectStore

/// A bucket that was deleted and can be restored, because its soft delete policy says so.
///
/// Its objects are gone: only empty buckets can be deleted.
struct DeletedBucket: Codable {
    private static let kind = "deletedBucket"

    let bucket: BucketMetadata
    /// When it was deleted, in microseconds since the Unix epoch.
    let time: Int64
    /// Until when it can be restored, in microseconds since the Unix epoch.
    let end: Int64

    /// Notes a deletion; `nil` where the bucket is gone at once.
    init?(_ bucket: BucketMetadata, at now: Int64) {
        guard bucket.settings.softDeleteSeconds > 0 else { return nil }
        self.bucket = bucket
        time = now
        end = now + bucket.settings.softDeleteSeconds * 1_000_000
    }

    private static func id(_ name: BucketName, _ generation: Int64) -> String { "\(name)/\(generation)" }

    func store(in store: SQLiteObjectStore) throws {
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        let id = Self.id(bucket.name, bucket.timeCreated)
        try store.put(SQLiteObjectStore.ServerRecord(id: id, text: text), kind: Self.kind)
    }

    /// Returns the bucket of a name and a generation; `nil` when there is none that can be restored.
    static func find(_ name: BucketName, generation: Int64, in store: SQLiteObjectStore) throws -> DeletedBucket? {
        let id = id(name, generation)
        guard let record = try store.record(id, kind: kind) else { return nil }
        let found = try JSONDecoder().decode(Self.self, from: Data(record.text.utf8))
        return found.end > store.now ? found : nil
    }

    /// Makes the bucket again.
    func restore(in store: SQLiteObjectStore) throws -> BucketMetadata {
        let restored = try store.restoreBucket(bucket)
        _ = try store.removeRecord(Self.id(bucket.name, bucket.timeCreated), kind: Self.kind)
        return restored
    }

    /// The members that tell of the deletion.
    var members: [(String, JSONText)] {
        [("softDeleteTime", .time(microseconds: time)), ("hardDeleteTime", .time(microseconds: end))]
    }
}
