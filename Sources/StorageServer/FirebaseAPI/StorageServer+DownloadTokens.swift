// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension StorageServer {
    /// Makes or deletes a download token: `create_token=true`, `delete_token=TOKEN`.
    ///
    /// A new token stands first, where clients look; deleting the last makes a new one, so that an object once shown never
    /// has none (recorded 2026, and as the official emulator).
    func changeTokens(_ path: ObjectPath, _ call: StorageCall) async throws -> Response {
        let creation = call.target["create_token"]
        guard creation == nil || creation == "true" else { throw StorageFailure.badRequest }
        let deleted = call.target["delete_token"]
        let updated = try await blockingWork { [store, makeToken] in
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
