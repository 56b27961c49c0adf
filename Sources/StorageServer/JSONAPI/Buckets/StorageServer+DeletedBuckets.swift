// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import JSONWriting
import ObjectStore
import Wire

/// Buckets that were deleted and can be restored: "If true, only soft-deleted bucket versions will be returned" (the
/// parameter `softDeleted` in the discovery document of the JSON API, 2026-11).
extension StorageServer {
    /// Answers a page of the deleted buckets by name and generation; live ones are not among them.
    func listDeletedBuckets(
        prefix: String,
        after last: String,
        count: Int,
        _ call: StorageCall
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
    func restore(_ name: BucketName, _ call: StorageCall) async throws -> Response {
        let deleted = try await deletedBucket(name, call)
        return try describe(try await blockingWork { [store] in try deleted.restore(in: store) }, call)
    }

    /// Returns the deleted bucket that a request names; throws 404 when there is none that can be restored.
    func deletedBucket(_ name: BucketName, _ call: StorageCall) async throws -> DeletedBucket {
        guard let generation = try call.target.number("generation") else { throw StorageFailure.required("generation") }
        let found = try await blockingWork { [store] in
            try DeletedBucket.find(name, generation: generation, in: store)
        }
        guard let found else { throw StorageFailure.noSuchBucket }
        return found
    }
}
