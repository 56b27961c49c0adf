// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import ObjectStore
import Wire

/// An access control list and what it is about.
struct AccessList {
    private enum Subject {
        case bucket(BucketMetadata)
        case defaultObject(BucketMetadata)
        case object(ObjectMetadata)
    }

    /// Base64 of six bytes.
    private static let contentTagLength = 8

    private let subject: Subject
    /// Who may do what.
    let grants: [AccessControl]

    /// The list of a bucket.
    static func bucket(_ bucket: BucketMetadata) -> Self {
        Self(subject: .bucket(bucket), grants: stored(bucket, key: "acl") ?? AccessControl.projectPrivate)
    }

    /// The list that new objects of a bucket get.
    static func defaultObject(_ bucket: BucketMetadata) -> Self {
        Self(
            subject: .defaultObject(bucket),
            grants: stored(bucket, key: "defaultObjectAcl") ?? AccessControl.projectPrivate
        )
    }

    /// The list of an object: its own, or the one that its bucket gives to objects and their owners.
    static func object(_ object: ObjectMetadata, in bucket: BucketMetadata?) -> Self {
        let inherited = bucket.flatMap { stored($0, key: "defaultObjectAcl") } ?? AccessControl.projectPrivate
        let owner = object.attributes.owner.map { [AccessControl(entity: $0, role: "OWNER")] } ?? []
        return Self(subject: .object(object), grants: object.attributes.accessControls ?? inherited + owner)
    }

    private static func stored(_ bucket: BucketMetadata, key: String) -> [AccessControl]? {
        // The call that stored it has validated it.
        BucketDocument(bucket.settings).resource[key].flatMap { try? ObjectChanges.accessControls($0) }
    }

    /// The list as the JSON API describes it.
    var resource: JSONText {
        let kind: JSONText =
            if case .bucket = subject { "storage#bucketAccessControls" } else { "storage#objectAccessControls" }
        return .object([("kind", kind), ("items", .array(grants.map(resource(of:))))])
    }

    /// A grant as the JSON API describes it.
    func resource(of grant: AccessControl) -> JSONText {
        .object(
            compacting: identity(of: grant) + [
                ("entity", .string(grant.entity)),
                ("role", .string(grant.role)),
                ("email", grant.rest(behind: ["user-", "group-"]).map(JSONText.string)),
                ("domain", grant.rest(behind: ["domain-"]).map(JSONText.string)),
                ("projectTeam", grant.projectTeam),
                ("etag", .string(etag)),
            ]
        )
    }

    private func identity(of grant: AccessControl) -> [(String, JSONText?)] {
        switch subject {
        case .bucket(let bucket):
            let id = "\(bucket.name)/\(grant.entity)"
            return [
                ("kind", "storage#bucketAccessControl"), ("id", .string(id)), ("bucket", .string("\(bucket.name)")),
            ]
        case .defaultObject: return [("kind", "storage#objectAccessControl")]
        case .object(let object):
            return [
                ("kind", "storage#objectAccessControl"),
                ("id", .string("\(object.path)/\(object.generation)/\(grant.entity)")),
                ("bucket", .string("\(object.bucket)")),
                ("object", .string("\(object.name)")),
                ("generation", .decimal(object.generation)),
            ]
        }
    }

    private var etag: String {
        switch subject {
        case .bucket(let bucket): bucket.etag
        case .defaultObject: contentTag
        case .object(let object): object.etag
        }
    }

    /// A tag that changes with the list alone: the grants to a bucket's new objects are the same ones, tags included, after
    /// uniform access was switched on and off (googleapis/nodejs-storage 7.19, `system-test/storage.ts`, "should preserve
    /// default bucket ACL").
    private var contentTag: String {
        String(SHA256Digest.base64(of: Data(grants.json.encoded)).prefix(Self.contentTagLength))
    }
}

extension AccessControl {
    private static let number = JSONAPI.projectNumber
    private static let owners = Self(entity: "project-owners-\(number)", role: "OWNER")
    private static let editors = Self(entity: "project-editors-\(number)", role: "OWNER")
    private static let viewers = Self(entity: "project-viewers-\(number)", role: "READER")

    /// The default grants of a bucket and of its objects.
    static let projectPrivate = [owners, editors, viewers]

    fileprivate func rest(behind starts: [String]) -> String? {
        starts.first(where: entity.hasPrefix).map { String(entity.dropFirst($0.count)) }
    }

    /// The number and the team of `project-owners-123`.
    fileprivate var projectTeam: JSONText? {
        let parts = entity.split(separator: "-", maxSplits: 2).map(String.init)
        guard parts.count == 3, parts[0] == "project" else { return nil }
        return .object([("projectNumber", .string(parts[2])), ("team", .string(parts[1]))])
    }
}

extension [AccessControl] {
    /// The grants as a client would send them.
    var json: JSONValue {
        .array(map { .object(["entity": .string($0.entity), "role": .string($0.role)]) })
    }
}
