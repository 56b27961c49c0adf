// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Wire

/// A request to the XML API.
enum XMLRoute: Equatable, StorageRoute {
    case listBuckets
    /// A form that names its bucket itself.
    case postForm
    case bucket(BucketName, BucketOperation)
    case object(ObjectPath, ObjectOperation)

    /// An action on a bucket.
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

    /// An action on an object.
    enum ObjectOperation: Equatable {
        case download
        /// HEAD: the fields of a download.
        case describe
        case put
        /// PUT with `x-goog-copy-source`.
        case copy(source: String)
        case delete
        case accessControls
        case changeAccessControls
        case startResumable
        case continueResumable
        case cancelResumable
        case beginParts
        case parts(uploadID: String, PartAction)
    }

    /// An action on a multipart upload that has begun.
    enum PartAction: Equatable {
        case list
        case receive
        case complete
        case abort
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

    /// Reads the method and the target.
    ///
    /// The object's name is everything behind the bucket, decoded once and never normalised. A PUT with the source of a
    /// copy is a copy.
    init(method: HTTPRequest.Method, target: RequestTarget, copySource: String? = nil) throws(XMLFailure) {
        let segments = target.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard segments.count >= 2, segments[0].isEmpty else { throw .invalidURI }
        if segments.count == 2, segments[1].isEmpty {
            self = try Self.serviceOperation(method)
            return
        }
        guard let bucket = PercentCoding.decode(segments[1]).flatMap(BucketName.init) else { throw .invalidBucketName }
        guard segments.count == 3, !segments[2].isEmpty else {
            self = .bucket(bucket, try Self.bucketOperation(method, target: target))
            return
        }
        guard let name = PercentCoding.decode(segments[2]).flatMap(ObjectName.init) else { throw .invalidObjectName }
        self = .object(
            ObjectPath(bucket: bucket, name: name),
            try Self.objectOperation(method, target: target, copySource: copySource)
        )
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
        target: RequestTarget
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
        target: RequestTarget,
        copySource: String?
    ) throws(XMLFailure) -> ObjectOperation {
        if let uploadID = target["uploadId"] { return .parts(uploadID: uploadID, try partAction(method)) }
        if target["upload_id"] != nil { return try resumableOperation(method) }
        if method == .post, target["uploads"] != nil { return .beginParts }
        let isACL = target["acl"] != nil
        try requireOffered(target)
        switch method {
        case .get: return isACL ? .accessControls : .download
        case .head: return .describe
        case .put where isACL: return .changeAccessControls
        case .put: return copySource.map { .copy(source: $0) } ?? .put
        case .delete where !isACL: return .delete
        case .post where !isACL: return .startResumable
        default: throw .methodNotAllowed
        }
    }

    private static func partAction(_ method: HTTPRequest.Method) throws(XMLFailure) -> PartAction {
        switch method {
        case .get: return .list
        case .put: return .receive
        case .post: return .complete
        case .delete: return .abort
        default: throw .methodNotAllowed
        }
    }

    private static func resumableOperation(_ method: HTTPRequest.Method) throws(XMLFailure) -> ObjectOperation {
        switch method {
        case .put, .post: return .continueResumable
        case .delete: return .cancelResumable
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
