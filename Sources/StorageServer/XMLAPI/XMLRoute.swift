// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Wire

/// What a request to the XML API asks for.
enum XMLRoute: Equatable {
    case listBuckets
    /// A form that names its bucket itself.
    case postForm
    case bucket(BucketName, BucketOperation)
    case object(ObjectPath, ObjectOperation)

    /// What is done with a bucket.
    enum BucketOperation: Equatable {
        case list
        case describe
        case create
        case delete
        case setting(Setting)
        case changeSetting(Setting)
        case deleteObjects
        case postForm
    }

    /// What is done with an object.
    enum ObjectOperation: Equatable {
        case download
        case put
        case delete
        case accessControls
        case changeAccessControls
        case startResumable
        case continueResumable
        case beginParts
        case parts(uploadID: String)
    }

    /// A part of a bucket's description.
    enum Setting: String, CaseIterable {
        case acl
        case location
        case versioning
    }

    /// Settings of buckets and of objects that production has and this server has not.
    private static let settingsNotOffered = [
        "billing", "compose", "cors", "defaultObjectAcl", "encryption", "encryptionConfig", "lifecycle", "logging",
        "object-lock", "policy", "requestPayment", "retention", "storageClass", "tagging", "torrent", "uploads",
        "versions", "website",
    ]

    /// Whether a path belongs to the XML API: all do that are not those of another API or of the emulator itself.
    static func claims(_ path: Substring) -> Bool {
        let segments = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst()
        let second = segments.dropFirst().first
        switch segments.first {
        case "b", "v0", "batch", "projects", "internal", "retry_test", "retry_tests": return false
        case "storage": return second != "v1"
        case "upload", "download": return second != "storage" && second != "b"
        case "resumable": return second != "upload"
        default: return true
        }
    }

    /// Reads the method and the target.
    ///
    /// The object's name is everything behind the bucket, decoded once and never normalised.
    init(method: HTTPRequest.Method, target: RequestTarget) throws(XMLFailure) {
        let segments = target.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard segments.count >= 2, segments[0].isEmpty else { throw .invalidURI }
        if segments.count == 2, segments[1].isEmpty {
            self = try Self.serviceOperation(method)
            return
        }
        guard let bucket = PercentCoding.decode(segments[1]).flatMap(BucketName.init) else { throw .invalidBucketName }
        guard segments.count == 3, !segments[2].isEmpty else {
            self = .bucket(bucket, try Self.bucketOperation(method, target))
            return
        }
        guard let name = PercentCoding.decode(segments[2]).flatMap(ObjectName.init) else { throw .invalidObjectName }
        self = .object(ObjectPath(bucket: bucket, name: name), try Self.objectOperation(method, target))
    }

    private static func serviceOperation(_ method: HTTPRequest.Method) throws(XMLFailure) -> Self {
        switch method {
        case .get, .head: return .listBuckets
        case .post: return .postForm
        default: throw .methodNotAllowed
        }
    }

    private static func bucketOperation(
        _ method: HTTPRequest.Method,
        _ target: RequestTarget
    ) throws(XMLFailure) -> BucketOperation {
        if method == .post, target["delete"] != nil { return .deleteObjects }
        let setting = Setting.allCases.first { target[$0.rawValue] != nil }
        if setting == nil { try requireOffered(target) }
        switch method {
        case .get: return setting.map { .setting($0) } ?? .list
        case .head: return .describe
        case .put: return setting.map { .changeSetting($0) } ?? .create
        case .delete where setting == nil: return .delete
        case .post where setting == nil: return .postForm
        default: throw .methodNotAllowed
        }
    }

    private static func objectOperation(
        _ method: HTTPRequest.Method,
        _ target: RequestTarget
    ) throws(XMLFailure) -> ObjectOperation {
        if let uploadID = target["uploadId"] { return .parts(uploadID: uploadID) }
        if target["upload_id"] != nil { return .continueResumable }
        if method == .post, target["uploads"] != nil { return .beginParts }
        let isACL = target["acl"] != nil
        try requireOffered(target)
        switch method {
        case .get: return isACL ? .accessControls : .download
        case .head: return .download
        case .put: return isACL ? .changeAccessControls : .put
        case .delete where !isACL: return .delete
        case .post where !isACL: return .startResumable
        default: throw .methodNotAllowed
        }
    }

    /// A request that ignored one of these would do something else than it says.
    private static func requireOffered(_ target: RequestTarget) throws(XMLFailure) {
        if let name = settingsNotOffered.first(where: { target[$0] != nil }) {
            throw .notImplemented("the parameter \(name)")
        }
    }
}
