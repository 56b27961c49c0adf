// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Wire

/// What a request to Google's JSON API asks for.
///
/// Every path may begin with `/storage/v1`, as Python and gcloud send it, or do without, as Node does.
enum JSONRoute: Equatable {
    case listBuckets
    case createBucket
    case bucket(BucketName)
    case deleteBucket(BucketName)
    case list(BucketName)
    case insert(BucketName, ObjectName?)
    case download(ObjectPath)
    case metadata(ObjectPath)
    case patch(ObjectPath)
    case delete(ObjectPath)

    /// The part of the service that the first segment of a path names.
    private enum Area: Equatable {
        case resources
        case uploads
        case downloads
    }

    /// Reads the method and the target.
    init(method: HTTPRequest.Method, target: RequestTarget) throws(StorageFailure) {
        var segments = target.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let area = Self.area(&segments)
        if segments.starts(with: ["storage", "v1"]) { segments = segments.dropFirst(2) }
        guard segments.popFirst() == "b" else { throw .notImplemented("this path yet") }
        guard let codedBucket = segments.popFirst() else {
            self = try Self.buckets(method, area)
            return
        }
        let bucket = try Self.bucketName(codedBucket)
        guard let collection = segments.popFirst() else {
            self = try Self.bucket(bucket, method, area)
            return
        }
        guard collection == "o", segments.count <= 1 else { throw .unknownOperation }
        if let codedName = segments.first {
            self = try Self.object(try Self.objectPath(bucket, codedName), method, target, area)
        } else {
            self = try Self.objects(bucket, method, target, area)
        }
    }

    private static func area(_ segments: inout ArraySlice<Substring>) -> Area {
        switch segments.first {
        case "upload":
            segments = segments.dropFirst()
            return .uploads
        case "download":
            segments = segments.dropFirst()
            return .downloads
        default: return .resources
        }
    }

    private static func bucketName(_ coded: Substring) throws(StorageFailure) -> BucketName {
        guard let name = PercentCoding.decode(coded).flatMap(BucketName.init) else { throw .invalidBucketName }
        return name
    }

    private static func objectPath(_ bucket: BucketName, _ coded: Substring) throws(StorageFailure) -> ObjectPath {
        guard let name = PercentCoding.decode(coded).flatMap(ObjectName.init) else { throw .invalidObjectName }
        return ObjectPath(bucket: bucket, name: name)
    }
}

extension JSONRoute {
    private static func buckets(_ method: HTTPRequest.Method, _ area: Area) throws(StorageFailure) -> Self {
        switch (area, method) {
        case (.resources, .get), (.resources, .head): return .listBuckets
        case (.resources, .post): return .createBucket
        default: throw .unknownOperation
        }
    }

    private static func bucket(
        _ bucket: BucketName,
        _ method: HTTPRequest.Method,
        _ area: Area
    ) throws(StorageFailure) -> Self {
        switch (area, method) {
        case (.resources, .get), (.resources, .head): return .bucket(bucket)
        case (.resources, .delete): return .deleteBucket(bucket)
        default: throw .unknownOperation
        }
    }

    private static func objects(
        _ bucket: BucketName,
        _ method: HTTPRequest.Method,
        _ target: RequestTarget,
        _ area: Area
    ) throws(StorageFailure) -> Self {
        switch (area, method) {
        case (.resources, .get), (.resources, .head): return .list(bucket)
        case (.uploads, .post) where target["upload_id"] == nil: return .insert(bucket, try target.objectName())
        case (.uploads, _): throw .resumableNotImplemented
        default: throw .unknownOperation
        }
    }

    private static func object(
        _ path: ObjectPath,
        _ method: HTTPRequest.Method,
        _ target: RequestTarget,
        _ area: Area
    ) throws(StorageFailure) -> Self {
        switch (area, method) {
        case (.downloads, .get), (.downloads, .head): return .download(path)
        case (.resources, .get), (.resources, .head):
            return target["alt"] == "media" ? .download(path) : .metadata(path)
        case (.resources, .patch): return .patch(path)
        case (.resources, .delete): return .delete(path)
        default: throw .unknownOperation
        }
    }
}
