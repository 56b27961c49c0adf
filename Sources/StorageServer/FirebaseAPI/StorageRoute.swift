// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Wire

/// What a request to the Firebase Storage v0 API asks for.
enum StorageRoute: Equatable {
    case emulator
    case list(BucketName)
    case upload(BucketName, ObjectName?)
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
        case .post, .put: return .upload(bucket, try target.objectName())
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
        case .post, .put: return .upload(bucket, name)
        case .delete: return .delete(path)
        case .patch: return .patch(path)
        default: throw .methodNotAllowed
        }
    }
}

extension StorageRoute {
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
