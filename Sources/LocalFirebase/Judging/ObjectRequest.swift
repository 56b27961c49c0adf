// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import ObjectStore
import SecurityRules
import StorageServer
import Wire

/// An access to Storage.
final class ObjectRequest: RulesRequest {
    let method: RulesMethod
    private let access: StorageAccess
    private let fullPath: RulesPath
    private let caller: Caller
    private let time: Timestamp

    /// Takes an access; `nil` for one that rules do not speak of, and that only administrators may make.
    init?(_ access: StorageAccess, by caller: Caller, at time: Timestamp) {
        guard let method = access.method else { return nil }
        (self.method, self.access, self.caller, self.time) = (method, access, caller, time)
        fullPath = RulesPath(names: ["b", access.bucket.description, "o"] + access.segments)
    }

    var path: [RulesPath.Segment] { fullPath.segments }

    func request(for method: RulesMethod, knowsDocuments: Bool) -> RulesValue {
        let auth = caller == .anonymous ? nil : UserFields(of: caller, userClaim: "user_id")
        let after = access.after.map { RulesValue.map(RulesMap(ObjectFields($0, isStored: false))) } ?? .null
        return .map(RulesMap(RequestFields(method, of: fullPath, at: time, auth: auth, special: ["resource": after])))
    }

    func resource() -> RulesValue {
        access.before.map { .map(RulesMap(ObjectFields($0, isStored: true))) } ?? .null
    }
}

extension StorageAccess {
    /// The bucket that is asked for.
    var bucket: BucketName {
        switch self {
        case .get(let path, _), .delete(let path, _), .changeTokens(let path): path.bucket
        case .create(let object, _), .update(_, let object): object.bucket
        case .list(let bucket, _): bucket
        }
    }

    fileprivate var method: RulesMethod? {
        switch self {
        case .get: .get
        case .list: .list
        case .create: .create
        case .update: .update
        case .delete: .delete
        case .changeTokens: nil
        }
    }

    /// The segments of the object's name, or of the prefix of a list without its last slash.
    fileprivate var segments: [String] {
        let name =
            switch self {
            case .get(let path, _), .delete(let path, _), .changeTokens(let path): path.name.description
            case .create(let object, _), .update(_, let object): object.name.description
            case .list(_, let prefix): String(prefix.hasSuffix("/") ? prefix.dropLast() : prefix[...])
            }
        return name.isEmpty ? [] : name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    fileprivate var before: ObjectMetadata? {
        switch self {
        case .get(_, let object), .delete(_, let object), .create(_, let object): object
        case .update(let object, _): object
        case .list, .changeTokens: nil
        }
    }

    fileprivate var after: ObjectMetadata? {
        switch self {
        case .create(let object, _), .update(_, let object): object
        case .get, .delete, .list, .changeTokens: nil
        }
    }
}

/// An object as rules see it.
///
/// (firebase.google.com/docs/reference/security/storage, 2026-11; members that are not set are absent, and one that is being
/// uploaded has none of those that the server gives it.)
private final class ObjectFields: RulesMapSource {
    private static let keys = [
        "name", "bucket", "size", "md5Hash", "crc32c", "contentType", "contentDisposition", "contentEncoding",
        "contentLanguage", "metadata", "generation", "metageneration", "etag", "timeCreated", "updated",
    ]

    private let object: ObjectMetadata
    private let isStored: Bool

    /// Takes an object, and whether it is in the bucket.
    init(_ object: ObjectMetadata, isStored: Bool) { (self.object, self.isStored) = (object, isStored) }

    func value(of key: String) -> RulesValue? {
        let attributes = object.attributes
        return switch key {
        case "name": .string(object.name.description)
        case "bucket": .string(object.bucket.description)
        case "size": .integer(object.byteCount)
        case "md5Hash": object.digest.md5Base64.map(RulesValue.string)
        case "crc32c": .string(object.digest.crc32cBase64)
        case "contentType": .string(attributes.contentType)
        case "contentDisposition": attributes.contentDisposition.map(RulesValue.string)
        case "contentEncoding": attributes.contentEncoding.map(RulesValue.string)
        case "contentLanguage": attributes.contentLanguage.map(RulesValue.string)
        case "metadata": .map(RulesMap(attributes.customMetadata.mapValues(RulesValue.string)))
        default: isStored ? storedValue(of: key) : nil
        }
    }

    private func storedValue(of key: String) -> RulesValue? {
        switch key {
        case "generation": .integer(object.generation)
        case "metageneration": .integer(object.metageneration)
        case "etag": .string(object.etag)
        case "timeCreated": .timestamp(Timestamp(microseconds: object.timeCreated).truncatedToMilliseconds)
        case "updated": .timestamp(Timestamp(microseconds: object.updated).truncatedToMilliseconds)
        default: nil
        }
    }

    var entries: [String: RulesValue] { Self.keys.reduce(into: [:]) { $0[$1] = value(of: $1) } }
}
