// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// The number of the one project that all buckets belong to.
    static let projectNumber = "123456789012"

    func createBucket(_ call: StorageCall) async throws -> Response {
        var requested = try await call.jsonBody()
        guard let text = requested["name"]?.string else { throw StorageFailure.required("name") }
        guard let name = BucketName(text) else { throw StorageFailure.invalidBucketName }
        call.attribute(to: .bucket(name))
        if call.target.flag("enableObjectRetention") {
            requested["objectRetention"] = .object(["mode": .string("Enabled")])
        }
        if let grants = try PredefinedAccess.bucket(call.target.text("predefinedAcl"), for: call) {
            requested["acl"] = grants.json
        }
        let defaults = call.target.text("predefinedDefaultObjectAcl")
        if let grants = try PredefinedAccess.object(defaults, for: call) { requested["defaultObjectAcl"] = grants.json }
        let (asked, project) = (requested, call.target.text("project"))
        let bucket = try await blockingWork { [store] in
            var document = BucketDocument()
            document.project = project
            try document.create(asked, at: store.now)
            return try store.createBucket(name, settings: document.settings)
        }
        return try describe(bucket, for: call)
    }

    func describe(_ name: BucketName, for call: StorageCall) async throws -> Response {
        if call.target.flag("softDeleted") {
            return call.json(try await deletedBucket(name, for: call).resource(origin: call.origin))
        }
        let bucket = try await existingBucket(name)
        switch try BucketConditions(call).failure(for: bucket) {
        case .mismatched: throw StorageFailure.preconditionFailed
        case .notModified: throw StorageFailure.notModified
        case nil: return try describe(bucket, for: call)
        }
    }

    /// Where a bucket's bytes are, as gcloud asks before it lists.
    func describeLayout(of name: BucketName, for call: StorageCall) async throws -> Response {
        let document = BucketDocument(try await existingBucket(name).settings).completed
        return call.json(
            .object(compacting: [
                ("kind", "storage#storageLayout"),
                ("bucket", .string(name.description)),
                ("location", document["location"].map(JSONText.init)),
                ("locationType", document["locationType"].map(JSONText.init)),
                ("hierarchicalNamespace", document["hierarchicalNamespace"].map(JSONText.init)),
            ])
        )
    }

    /// Changes what a PATCH names, or with PUT makes everything as the body says.
    func change(_ name: BucketName, replacingAll: Bool, for call: StorageCall) async throws -> Response {
        var requested = try await call.jsonBody()
        if let grants = try PredefinedAccess.bucket(call.target.text("predefinedAcl"), for: call) {
            requested["acl"] = grants.json
        }
        let defaults = call.target.text("predefinedDefaultObjectAcl")
        if let grants = try PredefinedAccess.object(defaults, for: call) { requested["defaultObjectAcl"] = grants.json }
        let asked = requested
        return try await describe(
            changeDocument(of: name, for: call) { document, now in
                try document.change(asked, replacingAll: replacingAll, at: now)
            },
            for: call
        )
    }

    func lockRetentionPolicy(of name: BucketName, for call: StorageCall) async throws -> Response {
        guard call.target["ifMetagenerationMatch"] != nil else {
            throw StorageFailure.required("ifMetagenerationMatch")
        }
        let bucket = try await changeDocument(of: name, for: call) { document, _ in
            guard var policy = document.resource["retentionPolicy"]?.members else {
                throw StorageFailure.invalid("Cannot lock the retention policy: the bucket has none.")
            }
            policy["isLocked"] = .bool(true)
            document.resource["retentionPolicy"] = .object(policy)
        }
        return try describe(bucket, for: call)
    }

    func delete(_ name: BucketName, for call: StorageCall) async throws -> Response {
        let conditions = try BucketConditions(call)
        let isDeleted = try await blockingWork { [store] in
            var kept: DeletedBucket?
            let isDeleted = try store.deleteBucket(name) { bucket in
                try conditions.require(of: bucket)
                kept = DeletedBucket(bucket, at: store.now)
            }
            try kept?.store(in: store)
            return isDeleted
        }
        guard isDeleted else { throw StorageFailure.noSuchBucket }
        return Response(status: .noContent)
    }

    func listBuckets(_ call: StorageCall) async throws -> Response {
        let count = try call.target.maxResults()
        let (prefix, last) = (call.target["prefix"] ?? "", call.target["pageToken"] ?? "")
        if call.target.flag("softDeleted") {
            return try await listDeletedBuckets(prefix: prefix, after: last, count: count, for: call)
        }
        // Only who takes part of the list is given part of it.
        let unreachable =
            call.target.flag("returnPartialSuccess") ? try context.faults.unreachableBuckets(for: call) : []
        let found = try await blockingWork { [store] in
            try store.buckets(prefix: prefix, after: last, count: count + 1)
        }
        let page = found.prefix(count).filter { !unreachable.contains("projects/_/buckets/\($0.name)") }
        let next = found.count > count ? found.dropLast().last.map { JSONText.string($0.name.description) } : nil
        let isFull = call.target["projection"] == "full"
        let listing = JSONText.object(compacting: [
            ("kind", "storage#buckets"),
            ("nextPageToken", next),
            ("unreachable", unreachable.isEmpty ? nil : .array(unreachable.map(JSONText.string))),
            ("items", page.isEmpty ? nil : .array(page.map { $0.resource(origin: call.origin, isFull: isFull) })),
        ])
        return call.json(listing)
    }
}

/// Bucket reads shared by several methods.
extension JSONAPI {
    /// Returns a bucket; throws 404 when there is none.
    func existingBucket(_ name: BucketName) async throws -> BucketMetadata {
        guard let bucket = try await blockingWork({ [store] in try store.bucket(named: name) }) else {
            throw StorageFailure.noSuchBucket
        }
        return bucket
    }

    /// Changes what is kept of a bucket, if the request's preconditions hold.
    func changeDocument(
        of name: BucketName,
        isCounted: Bool = true,
        for call: StorageCall,
        _ change: @escaping @Sendable (inout BucketDocument, _ now: Int64) throws -> Void
    ) async throws -> BucketMetadata {
        let conditions = try BucketConditions(call)
        let changed = try await blockingWork { [store] in
            try store.updateBucket(name, isCounted: isCounted) { bucket in
                try conditions.require(of: bucket)
                var document = BucketDocument(bucket.settings)
                document.resource = document.completed
                try change(&document, store.now)
                return document.settings
            }
        }
        guard let changed else { throw StorageFailure.noSuchBucket }
        return changed
    }

    /// The resource of a bucket, as much of it as the client asks for.
    func describe(_ bucket: BucketMetadata, for call: StorageCall) throws -> Response {
        let resource = bucket.resource(origin: call.origin, isFull: call.target["projection"] == "full")
        var response = call.json(resource)
        response.headers[.eTag] = bucket.etag
        return response
    }
}

/// The preconditions of a request on the bucket it reads or changes.
struct BucketConditions: Sendable {
    private let match: Int64?
    private let notMatch: Int64?

    init(_ call: StorageCall) throws(StorageFailure) {
        match = try call.target.number("ifMetagenerationMatch")
        notMatch = try call.target.number("ifMetagenerationNotMatch")
    }

    func failure(for bucket: BucketMetadata) -> ObjectPreconditions.Failure? {
        if let match, match != bucket.metageneration { return .mismatched }
        if let notMatch, notMatch == bucket.metageneration { return .notModified }
        return nil
    }

    /// Throws when the bucket may not be changed.
    func require(of bucket: BucketMetadata) throws(StorageFailure) {
        guard failure(for: bucket) == nil else { throw .preconditionFailed }
    }
}
