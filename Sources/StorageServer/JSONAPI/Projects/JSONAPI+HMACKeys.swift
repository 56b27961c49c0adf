// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// Answers a request about a project's HMAC keys.
    func answerKeys(_ action: JSONRoute.ListAction, of project: String, for call: StorageCall) async throws -> Response
    {
        switch action {
        case .list:
            let email = call.target.text("serviceAccountEmail")
            let hidesDeleted = !call.target.flag("showDeletedKeys")
            let keys = try await blockingWork { [store] in try HMACKey.all(in: store) }.filter { key in
                key.project == project && (email ?? key.email) == key.email
                    && !(hidesDeleted && key.state == .deleted)
            }
            return call.json(
                .object(compacting: [
                    ("kind", "storage#hmacKeysMetadata"),
                    ("items", keys.isEmpty ? nil : .array(keys.map { $0.resource(origin: call.origin) })),
                ])
            )
        case .insert:
            guard let email = call.target.text("serviceAccountEmail") else {
                throw StorageFailure.required("serviceAccountEmail")
            }
            let key = try await blockingWork { [store] in
                try HMACKey(project: project, email: email, now: store.now).stored(in: store)
            }
            return call.json(
                .object([
                    ("kind", "storage#hmacKey"),
                    ("metadata", key.resource(origin: call.origin)),
                    ("secret", .string(key.secret)),
                ])
            )
        case .get(let id): return call.json(try await key(id, of: project).resource(origin: call.origin))
        case .update(let id), .patch(let id):
            let requested = try await call.jsonBody()
            guard let state = requested["state"]?.string.flatMap(HMACKey.State.init), state != .deleted else {
                throw StorageFailure.invalidMember("state")
            }
            let changed = try await change(id, of: project, tag: requested["etag"]?.string) {
                key throws(StorageFailure) in
                key.state = state
            }
            return call.json(changed.resource(origin: call.origin))
        case .delete(let id):
            _ = try await change(id, of: project, tag: nil) { key throws(StorageFailure) in
                guard key.state == .inactive else { throw .invalid("Cannot delete keys in 'ACTIVE' state.") }
                key.state = .deleted
            }
            return Response(status: .noContent)
        }
    }

    private func key(_ id: String, of project: String) async throws -> HMACKey {
        let found = try await blockingWork { [store] in try HMACKey.find(id, in: store) }
        guard let key = found, key.project == project else {
            throw StorageFailure.noSuchKey
        }
        return key
    }

    private func change(
        _ id: String,
        of project: String,
        tag: String?,
        _ change: (inout HMACKey) throws(StorageFailure) -> Void
    ) async throws -> HMACKey {
        var key = try await key(id, of: project)
        guard key.state != .deleted else { throw StorageFailure.noSuchKey }
        if let tag, tag != key.etag { throw StorageFailure.preconditionFailed }
        try change(&key)
        let changed = key
        return try await blockingWork { [store] in
            var key = changed
            key.updated = store.now
            return try key.stored(in: store)
        }
    }
}

extension StorageFailure {
    fileprivate static let noSuchKey = Self(
        status: 404,
        message: "Access ID not found in project.",
        reason: "notFound"
    )
}
