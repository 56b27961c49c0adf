// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HummingbirdCore
import JSON
import ObjectStore
import Wire

/// Buckets that were deleted and can be restored: "If true, only soft-deleted bucket versions will be returned" (the
/// parameter `softDeleted` in the discovery document of the JSON API, 2026-11).
extension JSONAPI {
    /// Answers a page of the deleted buckets by name and generation; live ones are not among them.
    func listDeletedBuckets(
        prefix: String,
        after last: String,
        count: Int,
        for call: StorageCall
    ) async throws -> Response {
        let page = try await blockingWork { [store] in
            try DeletedBucket.page(prefix: prefix, after: last, count: count, in: store)
        }
        let listing = JSONText.object(compacting: [
            ("kind", "storage#buckets"),
            ("nextPageToken", page.next.map(JSONText.string)),
            ("items", page.buckets.isEmpty ? nil : .array(page.buckets.map { $0.resource(origin: call.origin) })),
        ])
        return call.json(listing)
    }

    /// Makes a deleted bucket again.
    func restore(_ name: BucketName, for call: StorageCall) async throws -> Response {
        let deleted = try await deletedBucket(name, for: call)
        return try describe(try await blockingWork { [store] in try deleted.restore(in: store) }, for: call)
    }

    /// Returns the deleted bucket that a request names; throws 404 when there is none that can be restored.
    func deletedBucket(_ name: BucketName, for call: StorageCall) async throws -> DeletedBucket {
        guard let generation = try call.target.number("generation") else { throw StorageFailure.required("generation") }
        let found = try await blockingWork { [store] in
            try DeletedBucket.find(name, generation: generation, in: store)
        }
        guard let found else { throw StorageFailure.noSuchBucket }
        return found
    }
}

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

    private static func id(_ name: BucketName, generation: Int64) -> String { "\(name)/\(generation)" }

    func store(in store: SQLiteObjectStore) throws {
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        let id = Self.id(bucket.name, generation: bucket.timeCreated)
        try store.put(SQLiteObjectStore.ServerRecord(id: id, text: text), kind: Self.kind, for: .deleting)
    }

    /// Returns the bucket of a name and a generation; `nil` when there is none that can be restored.
    static func find(_ name: BucketName, generation: Int64, in store: SQLiteObjectStore) throws -> DeletedBucket? {
        try store.record(id(name, generation: generation), kind: kind).flatMap { try Self($0, at: store.now) }
    }

    /// Returns up to `count` buckets that can be restored, and the place behind them; `nil` where none follow.
    static func page(
        prefix: String,
        after last: String,
        count: Int,
        in store: SQLiteObjectStore
    ) throws -> (buckets: [DeletedBucket], next: String?) {
        let found = try store.records(kind, prefix: prefix, after: last, count: count + 1)
        let now = store.now
        let buckets = try found.prefix(count).compactMap { try Self($0, at: now) }
        return (buckets, found.count > count ? found.dropLast().last?.id : nil)
    }

    /// Reads what was kept; `nil` where it is too late to restore the bucket.
    private init?(_ record: SQLiteObjectStore.ServerRecord, at now: Int64) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(record.text.utf8))
        guard end > now else { return nil }
    }

    /// Makes the bucket again.
    func restore(in store: SQLiteObjectStore) throws -> BucketMetadata {
        let restored = try store.restoreBucket(bucket)
        _ = try store.removeRecord(Self.id(bucket.name, generation: bucket.timeCreated), kind: Self.kind)
        return restored
    }

    /// The bucket as the JSON API describes it, with the times of its deletion.
    func resource(origin: String) -> JSONText {
        bucket.resource(origin: origin, isFull: false).adding([
            ("softDeleteTime", .time(microseconds: time)), ("hardDeleteTime", .time(microseconds: end)),
        ])
    }
}
