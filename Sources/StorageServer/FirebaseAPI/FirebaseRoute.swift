// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Metering
import ObjectStore
import Wire

/// A request to the Firebase Storage v0 API.
enum FirebaseRoute: Equatable, StorageRoute {
    case emulator
    case list(BucketName)
    case upload(BucketName, ObjectName?)
    /// A request of a resumable upload behind the first.
    case continueUpload(BucketName, ObjectName?)
    case download(ObjectPath)
    case metadata(ObjectPath)
    case patch(ObjectPath)
    case delete(ObjectPath)
    case changeTokens(ObjectPath)

    /// Reads the method and the target.
    ///
    /// The object's name is everything behind `/o/`, decoded once and never normalised: `a%2F..%2Fb` is `a/../b`.
    init(method: HTTPRequest.Method, target: RequestTarget) throws(StorageFailure) {
        let segments = target.path.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        guard segments.count >= 2, segments[1] == "v0" else { throw .notFound }
        if segments.count == 2 || (segments.count == 3 && segments[2].isEmpty) {
            guard method == .get || method == .head else { throw .methodNotAllowed }
            self = .emulator
            return
        }
        guard segments.count >= 5, segments[2] == "b", segments[4] == "o" else { throw .notFound }
        guard let bucket = PercentCoding.decode(segments[3]).flatMap(BucketName.init) else {
            throw .invalid("Invalid bucket name.")
        }
        if segments.count == 5 {
            self = try Self.collection(bucket, method: method, target: target)
        } else {
            self = try Self.object(bucket, codedName: segments[5], method: method, target: target)
        }
    }

    private static func collection(
        _ bucket: BucketName,
        method: HTTPRequest.Method,
        target: RequestTarget
    ) throws(StorageFailure) -> Self {
        switch method {
        case .get, .head: return .list(bucket)
        case .post, .put: return .upload(target, bucket: bucket, name: try target.objectName())
        default: throw .methodNotAllowed
        }
    }

    private static func object(
        _ bucket: BucketName,
        codedName: Substring,
        method: HTTPRequest.Method,
        target: RequestTarget
    ) throws(StorageFailure) -> Self {
        guard let text = PercentCoding.decode(codedName) else { throw .badRequest }
        guard let name = ObjectName(text) else { throw refusal(ofImpossibleNameTo: method) }
        let path = ObjectPath(bucket: bucket, name: name)
        switch method {
        case .get, .head: return target.asksForMedia ? .download(path) : .metadata(path)
        case .post where target["create_token"] != nil || target["delete_token"] != nil: return .changeTokens(path)
        case .post, .put: return .upload(target, bucket: bucket, name: name)
        case .delete: return .delete(path)
        case .patch: return .patch(path)
        default: throw .methodNotAllowed
        }
    }
}

extension FirebaseRoute {
    private static func upload(_ target: RequestTarget, bucket: BucketName, name: ObjectName?) -> Self {
        target["upload_id"] == nil ? .upload(bucket, name) : .continueUpload(bucket, name)
    }

    /// No object has an impossible name: production looks for it, finds nothing, and stores nothing (recorded 2026).
    private static func refusal(ofImpossibleNameTo method: HTTPRequest.Method) -> StorageFailure {
        switch method {
        case .get, .head, .delete: .notFound
        case .patch: .permissionDenied
        default: .badRequest
        }
    }
}

extension RequestTarget {
    /// The object's name in the query of an upload, `nil` when it is absent or empty.
    func objectName() throws(StorageFailure) -> ObjectName? {
        guard let text = text("name") else { return nil }
        guard let name = ObjectName(text) else { throw .badRequest }
        return name
    }
}

extension FirebaseRoute {
    /// The API's methods under the names of those of the JSON API that do the same, with their class in the price list.
    ///
    /// Source: https://cloud.google.com/storage/pricing#operations-by-class (2026-11).
    var operation: StorageOperation {
        switch self {
        case .emulator: StorageOperation("storage.emulator", .free, .service)
        case .list(let bucket): StorageOperation("storage.objects.list", .classA, .bucket(bucket))
        case .upload(let bucket, let name):
            StorageOperation(StorageOperation.upload, .classA, .upload(to: bucket, name: name))
        // An upload is charged once, when it begins.
        case .continueUpload(let bucket, let name):
            StorageOperation(StorageOperation.upload, .free, .upload(to: bucket, name: name))
        case .download(let path): StorageOperation(StorageOperation.download, .classB, .object(path))
        case .metadata(let path): .metadata(.object(path))
        case .patch(let path), .changeTokens(let path):
            StorageOperation("storage.objects.patch", .classA, .object(path))
        case .delete(let path): StorageOperation("storage.objects.delete", .free, .object(path))
        }
    }
}
