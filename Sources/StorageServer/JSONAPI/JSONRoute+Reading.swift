// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Wire

/// The part of the service that the first segment of a path names.
private enum Area: Equatable {
    case resources
    case uploads
    case downloads
}

extension JSONRoute {
    /// Reads the method and the target.
    ///
    /// Every path may begin with `/storage/v1`, as Python and gcloud send it, or do without, as Node does.
    init(method: HTTPRequest.Method, target: RequestTarget) throws(StorageFailure) {
        var segments = try Self.segments(of: target)
        // `/batch` alone is where Google's older clients send theirs.
        if segments == ["batch"] || segments == ["batch", "storage", "v1"] {
            guard method == .post else { throw .methodNotAllowed }
            self = .batch
            return
        }
        let area = Self.area(&segments)
        if segments.starts(with: ["storage", "v1"]) { segments = segments.dropFirst(2) }
        // HEAD asks for a GET's header.
        let method = method == .head ? .get : method
        switch (segments.popFirst(), area) {
        case ("b", .resources): self = try Self.bucketRoute(segments, method: method, target: target)
        case ("b", .uploads): self = try Self.uploadRoute(segments, method: method, target: target)
        case ("b", .downloads): self = try Self.downloadRoute(segments, method: method)
        case ("projects", .resources): self = try Self.projectRoute(segments, method: method)
        default: throw .unknownPath
        }
    }

    private static func segments(of target: RequestTarget) throws(StorageFailure) -> ArraySlice<String> {
        var segments: [String] = []
        for coded in target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let segment = PercentCoding.decode(coded) else { throw .brokenEscape }
            segments.append(segment)
        }
        return segments[...]
    }

    private static func area(_ segments: inout ArraySlice<String>) -> Area {
        // gcloud sends resumable uploads to an address of their own.
        if segments.starts(with: ["resumable", "upload"]) { segments.removeFirst() }
        let areas: [String: Area] = ["upload": .uploads, "download": .downloads]
        guard let area = segments.first.flatMap({ areas[$0] }) else { return .resources }
        segments.removeFirst()
        return area
    }

    private static func uploadRoute(
        _ segments: ArraySlice<String>,
        method: HTTPRequest.Method,
        target: RequestTarget
    ) throws(StorageFailure) -> Self {
        var segments = segments
        let bucket = try bucketName(segments.popFirst())
        guard segments == ["o"] else { throw .unknownPath }
        let name = try target.text("name").map { name throws(StorageFailure) in try uploadName(name) }
        return target["upload_id"] == nil ? .upload(bucket, name) : .continueUpload(bucket, name)
    }

    private static func downloadRoute(
        _ segments: ArraySlice<String>,
        method: HTTPRequest.Method
    ) throws(StorageFailure) -> Self {
        var segments = segments
        let bucket = try bucketName(segments.popFirst())
        guard segments.popFirst() == "o", segments.count == 1, method == .get else { throw .unknownPath }
        return .object(try objectPath(bucket, name: segments.first), .download)
    }

    private static func projectRoute(
        _ segments: ArraySlice<String>,
        method: HTTPRequest.Method
    ) throws(StorageFailure) -> Self {
        var segments = segments
        guard let project = segments.popFirst(), let collection = segments.popFirst() else { throw .unknownPath }
        switch collection {
        case "serviceAccount" where segments.isEmpty && method == .get: return .serviceAccount(project: project)
        case "hmacKeys": return .hmacKeys(project: project, try listAction(segments, method: method))
        default: throw .unknownPath
        }
    }
}

extension JSONRoute {
    private static func bucketRoute(
        _ segments: ArraySlice<String>,
        method: HTTPRequest.Method,
        target: RequestTarget
    ) throws(StorageFailure) -> Self {
        var segments = segments
        guard let first = segments.popFirst() else {
            switch method {
            case .get: return .listBuckets
            case .post: return .createBucket
            default: throw .methodNotAllowed
            }
        }
        let bucket = try bucketName(first)
        guard let collection = segments.popFirst() else { return .bucket(bucket, try bucketAction(method)) }
        switch (collection, method) {
        case ("o", _): return try objectRoute(bucket, segments: segments, method: method, target: target)
        case ("acl", _): return .accessControls(.bucket(bucket), try listAction(segments, method: method))
        case ("defaultObjectAcl", _):
            return .accessControls(.defaultObject(bucket), try listAction(segments, method: method))
        case ("notificationConfigs", _): return .notifications(bucket, try listAction(segments, method: method))
        case ("iam", .get) where segments.isEmpty: return .policy(bucket, .getIamPolicy)
        case ("iam", .put) where segments.isEmpty: return .policy(bucket, .setIamPolicy)
        case ("iam", .get) where segments == ["testPermissions"]: return .policy(bucket, .testIamPermissions)
        case ("restore", .post): return .bucket(bucket, .restore)
        case ("lockRetentionPolicy", .post): return .bucket(bucket, .lockRetentionPolicy)
        case ("storageLayout", .get): return .bucket(bucket, .getStorageLayout)
        case ("managedFolders", _): return .folders(bucket, try listAction(segments, method: method))
        default: throw .unknownPath
        }
    }

    private static func bucketAction(_ method: HTTPRequest.Method) throws(StorageFailure) -> BucketAction {
        switch method {
        case .get: return .get
        case .patch: return .patch
        case .put: return .update
        case .delete: return .delete
        default: throw .methodNotAllowed
        }
    }

    private static func listAction(
        _ segments: ArraySlice<String>,
        method: HTTPRequest.Method
    ) throws(StorageFailure) -> ListAction {
        guard segments.count <= 1 else { throw .unknownPath }
        switch (segments.first, method) {
        case (nil, .get): return .list
        case (nil, .post): return .insert
        case (let name?, .get): return .get(name)
        case (let name?, .patch): return .patch(name)
        case (let name?, .put): return .update(name)
        case (let name?, .delete): return .delete(name)
        default: throw .methodNotAllowed
        }
    }
}

extension JSONRoute {
    private static func objectRoute(
        _ bucket: BucketName,
        segments: ArraySlice<String>,
        method: HTTPRequest.Method,
        target: RequestTarget
    ) throws(StorageFailure) -> Self {
        var segments = segments
        guard let first = segments.popFirst() else {
            guard method == .get else { throw .methodNotAllowed }
            return .listObjects(bucket)
        }
        let path = try objectPath(bucket, name: first)
        guard let operation = segments.popFirst() else {
            return .object(path, try objectAction(method, target: target))
        }
        switch (operation, method) {
        case ("acl", _): return .accessControls(.object(path), try listAction(segments, method: method))
        case ("compose", .post) where segments.isEmpty: return .compose(path)
        case ("restore", .post) where segments.isEmpty: return .object(path, .restore)
        case ("copyTo", .post): return .copy(path, to: try destination(segments))
        case ("rewriteTo", .post): return .rewrite(path, to: try destination(segments))
        case ("moveTo", .post):
            guard segments.count == 2, segments.first == "o" else { throw .unknownPath }
            return .move(path, to: ObjectPath(bucket: bucket, name: try uploadName(segments.last ?? "")))
        default: throw .unknownPath
        }
    }

    private static func objectAction(
        _ method: HTTPRequest.Method,
        target: RequestTarget
    ) throws(StorageFailure) -> ObjectAction {
        switch method {
        case .get: return target.asksForMedia ? .download : .get
        case .patch: return .patch
        case .put: return .update
        case .delete: return .delete
        default: throw .methodNotAllowed
        }
    }

    /// Reads `b/BUCKET/o/OBJECT`.
    private static func destination(_ segments: ArraySlice<String>) throws(StorageFailure) -> ObjectPath {
        let segments = Array(segments)
        guard segments.count == 4, segments[0] == "b", segments[2] == "o" else { throw .unknownPath }
        return ObjectPath(bucket: try bucketName(segments[1]), name: try uploadName(segments[3]))
    }

    private static func bucketName(_ name: String?) throws(StorageFailure) -> BucketName {
        guard let bucket = name.flatMap(BucketName.init) else { throw .invalidBucketName }
        return bucket
    }

    /// No object has an impossible name: production looks for it, and finds nothing (recorded 2026).
    private static func objectPath(_ bucket: BucketName, name: String?) throws(StorageFailure) -> ObjectPath {
        guard let object = name.flatMap(ObjectName.init) else { throw .noSuchObject("\(bucket)/\(name ?? "")") }
        return ObjectPath(bucket: bucket, name: object)
    }

    private static func uploadName(_ name: String) throws(StorageFailure) -> ObjectName {
        guard let object = ObjectName(name) else { throw .invalidObjectName(name) }
        return object
    }
}
