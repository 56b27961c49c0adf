// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import ObjectStore
import Wire

extension StorageServer {
    /// Answers a request to the Firebase v0 API.
    func answerFirebase(_ call: StorageCall) async throws -> Response {
        let route = try StorageRoute(method: call.method, target: call.target)
        // Before a fault may happen: a call that fails on purpose is that call, and costs what it costs.
        try call.attribute(route.meteredOperation, route.operationClass, bucket: route.bucket, path: route.path)
        return try await faults.inject(into: call, operation: route.operation) { try await carryOut(route, $0) }
    }

    private func carryOut(_ route: StorageRoute, _ call: StorageCall) async throws -> Response {
        switch route {
        case .emulator: call.json(.object([("emulator", "storage")]))
        case .list(let bucket): try await list(bucket, call)
        case .upload(let bucket, let name): try await upload(to: bucket, name, call)
        case .download(let path): try await download(path, call)
        case .metadata(let path): try await metadata(path, call)
        case .patch(let path): try await patch(path, call)
        case .delete(let path): try await delete(path)
        case .changeTokens(let path): try await changeTokens(path, call)
        }
    }
}
