// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import Metering
import ObjectStore
import Wire

extension StorageServer {
    /// Answers a request to Google's JSON API.
    func answerJSON(_ call: StorageCall) async throws -> Response {
        let route = try JSONRoute(method: call.method, target: call.target)
        route.attribute(call)
        switch route {
        case .listBuckets: return try await listBuckets(call)
        case .createBucket: return try await createBucket(call)
        case .bucket(let bucket): return try await describe(bucket, call)
        case .deleteBucket(let bucket): return try await delete(bucket)
        case .list(let bucket): return try await listObjects(in: bucket, call)
        case .insert(let bucket, let name): return try await insert(into: bucket, name, call)
        case .download(let path): return try await downloadObject(path, call)
        case .metadata(let path): return try await describe(path, call)
        case .patch(let path): return try await patchObject(path, call)
        case .delete(let path): return try await deleteObject(path, call)
        }
    }
}

extension JSONRoute {
    /// Tells the meter what the request is about, and its class by the price list.
    fileprivate func attribute(_ call: StorageCall) {
        switch self {
        case .listBuckets: call.attribute("storage.buckets.list", .classA)
        case .createBucket: call.attribute("storage.buckets.insert", .classA)
        case .bucket(let bucket): call.attribute("storage.buckets.get", .classB, bucket: bucket)
        case .deleteBucket(let bucket): call.attribute("storage.buckets.delete", .free, bucket: bucket)
        case .list(let bucket): call.attribute("storage.objects.list", .classA, bucket: bucket)
        case .insert(let bucket, let name):
            let path = name.map { ObjectPath(bucket: bucket, name: $0) }
            call.attribute("storage.objects.insert", .classA, bucket: bucket, path: path)
        case .download(let path): call.attribute("storage.objects.get", .classB, path: path)
        case .metadata(let path): call.attribute("storage.objects.getMetadata", .classB, path: path)
        case .patch(let path): call.attribute("storage.objects.patch", .classA, path: path)
        case .delete(let path): call.attribute("storage.objects.delete", .free, path: path)
        }
    }
}
