// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    func describe(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let conditions = try ObjectConditions(call)
        let key = try CustomerKey.read(call)
        if call.target.flag("softDeleted") { return try await describeDeleted(path, conditions: conditions, for: call) }
        let found = try await blockingWork { [store] in
            try store.metadata(at: path, generation: conditions.generation)
        }
        switch try conditions.judge(found, at: path) {
        case .answer(let object):
            if let key { try CustomerKey.check(key, opens: object) }
            return try await describeInFull(object, for: call)
        case .notModified(let object):
            return .notModified(object)
        }
    }

    func downloadObject(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let conditions = try ObjectConditions(call)
        let key = try CustomerKey.read(call)
        let reader = try await blockingWork { [store] in try store.open(path, generation: conditions.generation) }
        switch try conditions.judge(reader?.metadata, at: path) {
        case .notModified(let object):
            return .notModified(object)
        case .answer(let object):
            guard let reader else { throw StorageFailure.noSuchObject(path) }
            try CustomerKey.check(key, opens: object)
            return try await downloads.media(reader, for: call, in: .json)
        }
    }

    /// Changes what a PATCH names, or with PUT makes everything as the body says.
    func change(_ path: ObjectPath, replacingAll: Bool, for call: StorageCall) async throws -> Response {
        let conditions = try ObjectConditions(call)
        let requested = try await call.objectChanges()
        let named = try ObjectChanges.accessControls(requested.members["acl"] ?? .null)
        if let named { try await requireGrantable(named, in: path.bucket) }
        let mayShorten = call.target.flag("overrideUnlockedRetention")
        let grants = try await predefinedGrants(call.target.text("predefinedAcl"), in: path.bucket, for: call)
        let updated = try await blockingWork { [store] in
            let generation = conditions.generation
            return try store.update(at: path, generation: generation, preconditions: conditions.preconditions) {
                attributes in
                let former = attributes
                if replacingAll {
                    attributes = ObjectAttributes(storageClass: former.storageClass)
                    attributes.retention = former.retention
                    attributes.accessControls = former.accessControls
                    attributes.owner = former.owner
                }
                try requested.apply(to: &attributes, scope: .json(now: store.now))
                if let grants { attributes.accessControls = grants }
                try attributes.retention.requireNoEasing(of: former.retention, mayShorten: mayShorten)
            }
        }
        guard let updated else { throw StorageFailure.noSuchObject(path) }
        return try await describeInFull(updated, for: call)
    }

    func deleteObject(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let conditions = try ObjectConditions(call)
        let isDeleted = try await blockingWork { [store] in
            try store.delete(at: path, generation: conditions.generation, preconditions: conditions.preconditions)
        }
        guard isDeleted else { throw StorageFailure.noSuchObject(path) }
        return Response(status: .noContent)
    }

    /// The resource of an object, as much of it as the client asks for.
    ///
    /// `isNew` says that the request has just made the object, under the key that it brings or that its upload began with.
    func describeInFull(
        _ object: ObjectMetadata,
        isNew: Bool = false,
        more: [(String, JSONText)] = [],
        for call: StorageCall
    ) async throws -> Response {
        // Whatever was asked for is done by now: a broken key is one that does not fit.
        let key = try? CustomerKey.read(call)
        let hasKey = isNew || (key != nil && key?.hash == object.customerKeyHash)
        var resource = object.resource(origin: call.origin, hasKey: hasKey).adding(more)
        if call.target["projection"] == "full" {
            resource = resource.adding(try await accessMembers(of: object))
        }
        var response = call.json(resource)
        response.headers[.eTag] = object.etag
        return response
    }
}

extension ObjectRetention? {
    /// Throws when a change would free an object sooner than its configuration allows: one that is locked never, another
    /// only on express conditions (https://cloud.google.com/storage/docs/object-lock, 2026-11).
    fileprivate func requireNoEasing(of former: ObjectRetention?, mayShorten: Bool) throws(StorageFailure) {
        guard let former, self != former else { return }
        let isEased =
            (self?.retainUntil ?? .min) < former.retainUntil || (former.mode == "Locked" && self?.mode != "Locked")
        guard isEased else { return }
        guard former.mode == "Unlocked", mayShorten else { throw .retentionKept }
    }
}

extension StorageFailure {
    fileprivate static let retentionKept = Self(
        status: 403,
        message: "The object's retention configuration cannot be removed or reduced.",
        reason: "retentionPolicyNotMet"
    )
}

extension Response {
    /// The object is the one that the client has already.
    static func notModified(_ object: ObjectMetadata) -> Response {
        Response(status: .notModified, headers: MediaForm.json.validators(of: object))
    }
}
