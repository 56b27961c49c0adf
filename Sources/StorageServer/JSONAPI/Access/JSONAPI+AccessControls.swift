// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// Answers a request about an access control list or one of its grants.
    func answer(
        _ action: JSONRoute.ListAction,
        to scope: JSONRoute.AccessScope,
        for call: StorageCall
    ) async throws -> Response {
        switch action {
        case .list: return call.json(try await list(scope, for: call).resource)
        case .get(let entity):
            let list = try await list(scope, for: call)
            return call.json(list.resource(of: try list.grants.grant(to: entity)))
        case .insert:
            let body = JSONValue.object(try await call.jsonBody())
            return try await set(AccessControl(body), in: scope, mustExist: false, for: call)
        case .patch(let entity):
            return try await set(grant(to: entity, for: call), in: scope, mustExist: true, for: call)
        case .update(let entity):
            // A PUT makes what is not there: Node's client sends one to a new bucket (googleapis/nodejs-storage 7.19,
            // `system-test/storage.ts`, "preserves bucket/file ACL over uniform bucket-level access on/off").
            return try await set(grant(to: entity, for: call), in: scope, mustExist: false, for: call)
        case .delete(let entity):
            _ = try await change(scope, for: call) { grants in
                _ = try grants.grant(to: entity)
                grants.removeAll { $0.entity == entity }
            }
            return Response(status: .noContent)
        }
    }

    /// The grant that a body describes to the entity of the address.
    private func grant(to entity: String, for call: StorageCall) async throws -> AccessControl {
        let body = try await call.jsonBody()
        return try AccessControl(.object(body.merging(["entity": .string(entity)]) { _, entity in entity }))
    }

    private func set(
        _ grant: AccessControl,
        in scope: JSONRoute.AccessScope,
        mustExist: Bool,
        for call: StorageCall
    ) async throws -> Response {
        let list = try await change(scope, for: call) { grants in
            if mustExist { _ = try grants.grant(to: grant.entity) }
            if let index = grants.firstIndex(where: { $0.entity == grant.entity }) {
                grants[index] = grant
            } else {
                grants.append(grant)
            }
        }
        return call.json(list.resource(of: grant))
    }

    private func list(_ scope: JSONRoute.AccessScope, for call: StorageCall) async throws -> AccessList {
        switch scope {
        case .bucket(let name): return .bucket(try await listedBucket(name))
        case .defaultObject(let name): return .defaultObject(try await listedBucket(name))
        case .object(let path):
            let bucket = try await listedBucket(path.bucket)
            let generation = try call.target.number("generation")
            let object = try await blockingWork { [store] in try store.metadata(at: path, generation: generation) }
            guard let object else { throw StorageFailure.noSuchObject(path) }
            return .object(object, in: bucket)
        }
    }

    /// A bucket whose access is by lists.
    private func listedBucket(_ name: BucketName) async throws -> BucketMetadata {
        let bucket = try await existingBucket(name)
        guard !BucketDocument(bucket.settings).isUniform else { throw StorageFailure.uniformAccess }
        return bucket
    }

    private func change(
        _ scope: JSONRoute.AccessScope,
        for call: StorageCall,
        _ change: @escaping @Sendable (inout [AccessControl]) throws -> Void
    ) async throws -> AccessList {
        var grants = try await list(scope, for: call).grants
        try change(&grants)
        let changed = grants
        switch scope {
        case .bucket(let name):
            let requested = ["acl": changed.json]
            return .bucket(
                try await changeDocument(of: name, for: call) { try $0.change(requested, replacingAll: false, at: $1) }
            )
        case .defaultObject(let name):
            let requested = ["defaultObjectAcl": changed.json]
            return .defaultObject(
                try await changeDocument(of: name, for: call) { try $0.change(requested, replacingAll: false, at: $1) }
            )
        case .object(let path):
            return try await setGrants(changed, of: path, for: call)
        }
    }

    private func setGrants(
        _ grants: [AccessControl],
        of path: ObjectPath,
        for call: StorageCall
    ) async throws -> AccessList {
        let conditions = try ObjectConditions(call)
        let bucket = try await existingBucket(path.bucket)
        if BucketDocument(bucket.settings).preventsPublicAccess { try grants.requireNothingPublic() }
        let updated = try await blockingWork { [store] in
            try store.update(at: path, generation: conditions.generation, preconditions: conditions.preconditions) {
                $0.accessControls = grants
            }
        }
        guard let updated else { throw StorageFailure.noSuchObject(path) }
        return .object(updated, in: bucket)
    }
}

/// The bucket's access settings, as objects need them.
extension JSONAPI {
    /// Returns what a predefined list grants on objects of a bucket; `nil` without a name.
    func predefinedGrants(
        _ name: String?,
        in bucket: BucketName,
        for call: StorageCall
    ) async throws -> [AccessControl]? {
        guard let grants = try PredefinedAccess.object(name, for: call) else { return nil }
        try await requireGrantable(grants, in: bucket)
        return grants
    }

    /// Throws when objects of a bucket cannot be granted so.
    func requireGrantable(_ grants: [AccessControl], in bucket: BucketName) async throws {
        guard let found = try await blockingWork({ [store] in try store.bucket(named: bucket) }) else { return }
        let document = BucketDocument(found.settings)
        if document.isUniform { throw StorageFailure.uniformAccess }
        if document.preventsPublicAccess { try grants.requireNothingPublic() }
    }

    /// The members that an object has with `projection=full`.
    func accessMembers(of object: ObjectMetadata) async throws -> [(String, JSONText)] {
        let bucket = try await blockingWork { [store] in try store.bucket(named: object.bucket) }
        return Self.accessMembers(of: object, in: bucket)
    }

    /// The members, where the bucket is at hand.
    static func accessMembers(of object: ObjectMetadata, in bucket: BucketMetadata?) -> [(String, JSONText)] {
        if let bucket, BucketDocument(bucket.settings).isUniform { return [] }
        let list = AccessList.object(object, in: bucket)
        let owner = object.attributes.owner ?? "project-owners-\(projectNumber)"
        return [
            ("acl", .array(list.grants.map(list.resource(of:)))),
            ("owner", .object([("entity", .string(owner))])),
        ]
    }
}

extension [AccessControl] {
    fileprivate func grant(to entity: String) throws(StorageFailure) -> AccessControl {
        guard let grant = first(where: { $0.entity == entity }) else {
            throw StorageFailure(
                status: 404,
                message: "The specified entity '\(entity)' has no grant.",
                reason: "notFound"
            )
        }
        return grant
    }
}
