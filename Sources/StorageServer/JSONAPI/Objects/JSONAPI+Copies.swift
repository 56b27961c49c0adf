// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    func copy(_ source: ObjectPath, to destination: ObjectPath, for call: StorageCall) async throws -> Response {
        let copied = try await makeCopy(of: source, at: destination, for: call)
        // The key that the request brings for the new object has become the object's.
        var response = call.json(copied.resource(origin: call.origin, hasKey: true).adding([Self.owner]))
        response.headers[.eTag] = copied.etag
        return response
    }

    /// Copies an object, in several calls where the client bounds what one may do.
    func rewrite(_ source: ObjectPath, to destination: ObjectPath, for call: StorageCall) async throws -> Response {
        if let progress = try await RewriteProgress(source, store: store, for: call), !progress.isDone {
            return call.json(progress.answer)
        }
        let copied = try await makeCopy(of: source, at: destination, for: call)
        let answer = JSONText.object([
            ("kind", "storage#rewriteResponse"),
            ("totalBytesRewritten", .decimal(copied.byteCount)),
            ("objectSize", .decimal(copied.byteCount)),
            ("done", true),
            ("resource", copied.resource(origin: call.origin, hasKey: true).adding([Self.owner])),
        ])
        return call.json(answer)
    }

    /// Renames an object within its bucket.
    func move(_ source: ObjectPath, to destination: ObjectPath, for call: StorageCall) async throws -> Response {
        var request = ObjectCopy(from: source, to: destination)
        request.isMove = true
        request.sourcePreconditions = try ObjectPreconditions(call.target, ofSource: true)
        request.preconditions = try ObjectPreconditions(call.target)
        let copy = request
        let moved = try await blockingWork { [store] in
            try store.copy(copy, keepingCustomerKey: true) { $0.attributes }
        }
        guard let moved else { throw StorageFailure.noSuchObject(source) }
        return try await describeInFull(moved, for: call)
    }

    private func makeCopy(
        of source: ObjectPath,
        at destination: ObjectPath,
        for call: StorageCall
    ) async throws -> ObjectMetadata {
        var request = ObjectCopy(from: source, to: destination)
        request.sourceGeneration = try call.target.number("sourceGeneration")
        request.sourcePreconditions = try ObjectPreconditions(call.target, ofSource: true)
        request.preconditions = try ObjectPreconditions(call.target)
        request.customerKeyHash = try CustomerKey.read(call)?.hash
        let sourceKey = try CustomerKey.read(call, prefix: "x-goog-copy-source-encryption-")
        let requested = try await call.objectChanges()
        let grants = try await predefinedGrants(
            call.target.text("destinationPredefinedAcl"),
            in: destination.bucket,
            for: call
        )
        let keyName = call.target.text("destinationKmsKeyName")
        let copy = request
        let copied = try await blockingWork { [store] in
            try store.copy(copy) { source in
                try CustomerKey.check(sourceKey, opens: source)
                var attributes = try source.attributes.copied(with: requested, now: store.now)
                if let grants { attributes.accessControls = grants }
                if let keyName { attributes.keyName = keyName }
                return attributes
            }
        }
        guard let copied else { throw StorageFailure.noSuchObject(source) }
        return copied
    }

    /// Whom the answers to copies, and only those, name as the owner of the new object.
    private static var owner: (String, JSONText) {
        ("owner", .object([("entity", .string("project-owners-\(projectNumber)"))]))
    }
}

extension ObjectAttributes {
    /// The attributes of a copy.
    ///
    /// A body that describes the object replaces the source's description, download tokens included; one without
    /// leaves it, tokens included (recorded 2026). Class, access, holds and retention are never the source's.
    fileprivate func copied(with requested: ObjectChanges, now: Int64) throws(StorageFailure) -> ObjectAttributes {
        var attributes = requested.describesContent ? ObjectAttributes(contentType: contentType) : self
        attributes.storageClass = nil
        attributes.accessControls = nil
        attributes.hasTemporaryHold = nil
        attributes.hasEventBasedHold = nil
        attributes.retention = nil
        attributes.keyName = nil
        try requested.apply(to: &attributes, scope: .json(now: now))
        return attributes
    }
}
