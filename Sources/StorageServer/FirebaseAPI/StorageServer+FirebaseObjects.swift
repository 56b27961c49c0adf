// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension StorageServer {
    /// Answers `alt=media`.
    func download(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        guard let reader = try await open(path) else { throw StorageFailure.notFound }
        guard StorageAccess.mayRead(reader.metadata, call) else { throw StorageFailure.permissionDenied }
        let isAdministrator = StorageAccess.isAdministrator(call.request.headers)
        return try await media(reader, for: call, in: .firebase(isAdministrator: isAdministrator))
    }

    /// Answers a metadata GET; a tokenless object gains its first download token here, as in production.
    func metadata(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let object = try await blockingWork { [store, makeToken] in
            guard let object = try store.metadata(at: path) else { throw StorageFailure.notFound }
            guard StorageAccess.mayRead(object, call) else { throw StorageFailure.permissionDenied }
            guard object.attributes.downloadTokens.isEmpty else { return object }
            let updated = try store.update(at: path, countingMetageneration: .whenChanged) { attributes in
                // Another reader may have been first.
                if attributes.downloadTokens.isEmpty { attributes.downloadTokens = [makeToken()] }
            }
            guard let updated else { throw StorageFailure.notFound }
            return updated
        }
        return call.json(object.firebaseResource)
    }

    /// Changes attributes; an absent object is forbidden rather than missing, as recorded from production in 2026.
    func patch(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let wish = try await call.objectWish()
        let updated = try await blockingWork { [store] in
            try store.update(at: path) { try wish.apply(to: &$0, .firebase) }
        }
        guard let updated else { throw StorageFailure.permissionDenied }
        return call.json(updated.firebaseResource)
    }

    func delete(_ path: ObjectPath) async throws -> Response {
        guard try await blockingWork({ [store] in try store.delete(at: path) }) else { throw StorageFailure.notFound }
        return Response(status: .noContent)
    }
}
