// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import Wire

extension FirebaseAPI {
    /// Has reads and deletions judged; uploads and changes are judged inside the store's transaction, see `judging(_:)`.
    func authorize(_ route: FirebaseRoute, _ call: StorageCall) async throws {
        guard let judge = context.judge(of: call.caller) else { return }
        switch route {
        case .emulator, .upload, .continueUpload, .patch: return
        case .list(let bucket):
            try judge(.list(bucket, prefix: call.target["prefix"] ?? ""))
        case .download(let path), .metadata(let path):
            let object = try await blockingWork { [store] in try store.metadata(at: path) }
            guard object?.isOpened(by: call) != true else { return }
            try judge(.get(path, object))
        case .delete(let path):
            try judge(.delete(path, try await blockingWork { [store] in try store.metadata(at: path) }))
        case .changeTokens(let path): try judge(.changeTokens(path))
        }
    }
}

extension StorageContext {
    /// The judge of what a caller does; `nil` where everything is allowed, as it is to administrators.
    func judge(of caller: Caller) -> (@Sendable (StorageAccess) throws -> Void)? {
        guard let judge, !caller.isAdmin else { return nil }
        return { try judge.authorize($0, for: caller) }
    }
}

extension ObjectMetadata {
    /// Whether the request carries one of the object's download tokens.
    func isOpened(by call: StorageCall) -> Bool {
        call.target["token"].map(attributes.downloadTokens.contains) ?? false
    }

    /// Throws for a request with a token that is none of the object's, unless an administrator makes it.
    ///
    /// A stale token in a document so shows up in development, where there may be no rules that would refuse it.
    func requireToken(of call: StorageCall) throws(StorageFailure) {
        guard call.target["token"] == nil || call.caller.isAdmin || isOpened(by: call) else { throw .permissionDenied }
    }
}
