// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import ObjectStore
import Wire

/// The Firebase v0 API, which Firebase's client SDKs speak.
struct FirebaseAPI: StorageAPI {
    let context: StorageContext

    func route(_ call: StorageCall) throws -> FirebaseRoute {
        try FirebaseRoute(method: call.method, target: call.target)
    }

    func handle(_ route: FirebaseRoute, _ call: StorageCall) async throws -> Response {
        var response = try await carryOut(route, call)
        response.addFirebaseFields(for: call)
        return response
    }

    func failure(_ error: any Error, of call: StorageCall) -> Response {
        var response = StorageFailure(error).response(in: .firebase, as: call.form)
        response.addFirebaseFields(for: call)
        return response
    }

    private func carryOut(_ route: FirebaseRoute, _ call: StorageCall) async throws -> Response {
        switch route {
        case .emulator: call.json(.object([("emulator", "storage")]))
        case .list(let bucket): try await list(bucket, call)
        case .upload(let bucket, let name), .continueUpload(let bucket, let name):
            try await upload(to: bucket, name, call)
        case .download(let path): try await download(path, call)
        case .metadata(let path): try await metadata(path, call)
        case .patch(let path): try await patch(path, call)
        case .delete(let path): try await delete(path)
        case .changeTokens(let path): try await changeTokens(path, call)
        }
    }
}
