// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension FirebaseAPI {
    /// Answers `alt=media`.
    func download(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        guard let reader = try await downloads.open(path) else { throw StorageFailure.notFound }
        try reader.metadata.requireToken(of: call)
        return try await downloads.media(reader, for: call, in: .firebase(isAdministrator: call.caller.isAdmin))
    }

    /// Answers a metadata GET; a tokenless object gains its first download token here, as in production.
    func metadata(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let object = try await blockingWork { [store, makeToken = context.makeToken] in
            guard let object = try store.metadata(at: path) else { throw StorageFailure.notFound }
            try object.requireToken(of: call)
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
    func patch(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let requested = try await call.objectChanges()
        let judge = context.judge(of: call)
        let updated = try await blockingWork { [store] in
            try store.update(
                at: path,
                authorizing: judge.map { judge in { try judge(.update($0, to: $1)) } },
                { try requested.apply(to: &$0, scope: .firebase) }
            )
        }
        guard let updated else { throw StorageFailure.permissionDenied }
        return call.json(updated.firebaseResource)
    }

    func delete(_ path: ObjectPath) async throws -> Response {
        guard try await blockingWork({ [store] in try store.delete(at: path) }) else { throw StorageFailure.notFound }
        return Response(status: .noContent)
    }

    /// Makes or deletes a download token: `create_token=true`, `delete_token=TOKEN`.
    ///
    /// A new token stands first, where clients look; deleting the last makes a new one, so that an object once shown never
    /// has none (recorded 2026, and as the official emulator).
    func changeTokens(_ path: ObjectPath, for call: StorageCall) async throws -> Response {
        let creation = call.target["create_token"]
        guard creation == nil || creation == "true" else { throw StorageFailure.badRequest }
        let deleted = call.target["delete_token"]
        let updated = try await blockingWork { [store, makeToken = context.makeToken] in
            try store.update(at: path) { attributes in
                if let deleted {
                    attributes.downloadTokens.removeAll { $0 == deleted }
                    if attributes.downloadTokens.isEmpty { attributes.downloadTokens = [makeToken()] }
                }
                if creation != nil { attributes.downloadTokens.insert(makeToken(), at: 0) }
            }
        }
        guard let updated else { throw StorageFailure.notFound }
        return call.json(updated.firebaseResource)
    }
}

extension FirebaseAPI {
    /// Answers an upload, or one of the requests of a resumable one.
    func upload(to bucket: BucketName, name: ObjectName?, for call: StorageCall) async throws -> Response {
        let plan = UploadPlan(.firebase, bucket: bucket, name: name)
        // After its start a resumable upload is recognized by the command alone.
        if let command = call["X-Goog-Upload-Command"] {
            return try await uploads.answerCommand(command, plan: plan, for: call)
        }
        switch call["X-Goog-Upload-Protocol"]?.lowercased() {
        case "multipart": return call.json(try await uploads.storeMultipart(plan, for: call).firebaseResource)
        case nil, "raw": return call.json(try await uploads.storeMedia(plan, for: call).firebaseResource)
        case "resumable": throw StorageFailure.invalid("A resumable upload needs the header X-Goog-Upload-Command.")
        default: throw StorageFailure.invalid("X-Goog-Upload-Protocol must be multipart, raw or resumable.")
        }
    }
}

extension ObjectMetadata {
    /// The object as the Firebase v0 API describes it, which knows no customers' keys.
    var firebaseResource: JSONText {
        let own: [(String, JSONText?)] = [
            ("contentEncoding", .string(attributes.contentEncoding ?? "identity")),
            ("downloadTokens", .string(attributes.downloadTokens.joined(separator: ","))),
            ("metadata", .texts(attributes.customMetadata)),
        ]
        return .object(compacting: commonMembers(hasKey: false) + own)
    }
}
