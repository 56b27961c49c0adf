// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import ObjectStore
import SecurityRules
import StorageServer
import Wire

extension RulesRequest {
    /// An access to Storage; `nil` for one that rules do not speak of, and that only administrators may make.
    init?(_ access: StorageAccess, by caller: Caller, at time: Timestamp) {
        guard let method = access.method else { return nil }
        let path = RulesPath(names: ["b", access.bucket.description, "o"] + access.segments)
        let auth = caller == .anonymous ? nil : UserFields(caller: caller, userClaim: "user_id")
        let after = access.after.map { RulesValue.map(RulesMap(ObjectFields(object: $0, isStored: false))) } ?? .null
        let before = access.before.map { RulesValue.map(RulesMap(ObjectFields(object: $0, isStored: true))) } ?? .null
        self.init(
            methods: [method],
            method: method,
            path: path.segments,
            request: { method, _ in
                .map(RulesMap(RequestFields(method, of: path, at: time, auth: auth, special: ["resource": after])))
            },
            resource: { before }
        )
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
private struct ObjectFields: RulesMapSource {
    private static let keys = [
        "name", "bucket", "size", "md5Hash", "crc32c", "contentType", "contentDisposition", "contentEncoding",
        "contentLanguage", "metadata", "generation", "metageneration", "etag", "timeCreated", "updated",
    ]

    let object: ObjectMetadata
    /// Whether it is in the bucket.
    let isStored: Bool

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
