// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore
import Wire

extension BucketMetadata {
    /// The members that everybody may see only where they are asked for.
    private static let accessMembers: Set<String> = ["acl", "defaultObjectAcl"]

    /// The bucket as the JSON API describes it, with a link that leads back through the address the client used;
    /// `isFull` adds the access control lists and the owner, as `projection=full` asks.
    func resource(origin: String, isFull: Bool) -> JSONText {
        let document = BucketDocument(settings)
        let rest = document.completed.filter { !Self.accessMembers.contains($0.key) && $0.key != "location" }
        let identity: [(String, JSONText)] = [
            ("kind", "storage#bucket"),
            ("id", .string(name.description)),
            ("selfLink", .string("\(origin)/storage/v1/b/\(PercentCoding.encode(name.description))")),
            ("name", .string(name.description)),
            ("projectNumber", .string(JSONAPI.projectNumber)),
            ("generation", .decimal(timeCreated)),
            ("metageneration", .decimal(metageneration)),
            ("location", JSONText(document.completed["location"] ?? .string("US"))),
            ("etag", .string(etag)),
            ("timeCreated", .time(microseconds: timeCreated)),
            ("updated", .time(microseconds: updated)),
        ]
        let members = rest.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) }
        return .object(identity + members + (isFull ? accessResource(document) : []))
    }

    private func accessResource(_ document: BucketDocument) -> [(String, JSONText)] {
        guard !document.isUniform else { return [] }
        let own = AccessList.bucket(self)
        let defaults = AccessList.defaultObject(self)
        return [
            ("acl", .array(own.grants.map(own.resource(of:)))),
            ("defaultObjectAcl", .array(defaults.grants.map(defaults.resource(of:)))),
            ("owner", .object([("entity", .string("project-owners-\(JSONAPI.projectNumber)"))])),
        ]
    }
}

extension BucketDocument {
    /// The members of the resource; buckets that an upload created have those of a bucket about which nothing was said.
    var completed: [String: JSONValue] {
        guard resource.isEmpty else { return resource }
        var document = self
        // Nothing that was said cannot be refused.
        try? document.complete(since: self, at: 0)
        return document.resource
    }
}
