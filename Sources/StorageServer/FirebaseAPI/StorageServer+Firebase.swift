// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import JSONWriting
import Metering
import ObjectStore
import Wire

extension StorageServer {
    /// Answers a request to the Firebase v0 API.
    func answerFirebase(_ call: StorageCall) async throws -> Response {
        let route = try StorageRoute(method: call.method, target: call.target)
        return try await faults.inject(into: call, operation: route.operation) { try await carryOut(route, $0) }
    }

    private func carryOut(_ route: StorageRoute, _ call: StorageCall) async throws -> Response {
        switch route {
        case .emulator:
            try call.attribute("storage.emulator", .free)
            return call.json(.object([("emulator", "storage")]))
        case .list(let bucket):
            try call.attribute("storage.objects.list", .classA, bucket: bucket)
            return try await list(bucket, call)
        case .upload(let bucket, let name):
            try call.attribute(
                "storage.objects.insert",
                .classA,
                bucket: bucket,
                path: name.map { ObjectPath(bucket: bucket, name: $0) }
            )
            return try await upload(to: bucket, name, call)
        case .download(let path):
            try call.attribute("storage.objects.get", .classB, path: path)
            return try await download(path, call)
        case .metadata(let path):
            try call.attribute("storage.objects.getMetadata", .classB, path: path)
            return try await metadata(path, call)
        case .patch(let path):
            try call.attribute("storage.objects.patch", .classA, path: path)
            return try await patch(path, call)
        case .delete(let path):
            try call.attribute("storage.objects.delete", .free, path: path)
            return try await delete(path)
        case .changeTokens(let path):
            try call.attribute("storage.objects.patch", .classA, path: path)
            return try await changeTokens(path, call)
        }
    }
}

extension StorageRoute {
    /// The name of the method in the JSON API that does the same.
    var operation: String {
        switch self {
        case .emulator: "storage.emulator"
        case .list: "storage.objects.list"
        case .upload: "storage.objects.insert"
        case .download, .metadata: "storage.objects.get"
        case .patch, .changeTokens: "storage.objects.patch"
        case .delete: "storage.objects.delete"
        }
    }
}
