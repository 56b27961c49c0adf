// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import ObjectStore
import Wire

extension XMLAPI {
    /// The largest body that sets something of a bucket or of an object, in bytes.
    static let settingByteCountMax = 1 << 20

    func listBuckets() async throws -> Response {
        let buckets = try await blockingWork { [store] in try store.buckets() }
        let items = buckets.map { bucket in
            XMLText.element(
                "Bucket",
                [
                    .element("Name", bucket.name.description),
                    .element("CreationDate", RFC3339.text(microseconds: bucket.timeCreated)),
                ]
            )
        }
        return .xml(
            .element("ListAllMyBucketsResult", [.owner, .element("Buckets", items)], attributes: [XMLText.namespace])
        )
    }

    func describeBucket(_ name: BucketName) async throws -> Response {
        try await requireBucket(name)
        return Response(status: .ok)
    }

    /// Creates a bucket; where the body wants it to be is not kept, all of them are here.
    func createBucket(_ name: BucketName, for call: StorageCall) async throws -> Response {
        _ = try await collectXML(call)
        _ = try await blockingWork { [store] in try store.createBucket(name) }
        return Response(status: .ok)
    }

    func deleteBucket(_ name: BucketName) async throws -> Response {
        guard try await blockingWork({ [store] in try store.deleteBucket(name) }) else {
            throw XMLFailure.noSuchBucket
        }
        return Response(status: .noContent)
    }

    /// Reads a small document; `nil` for an empty body.
    private func collectXML(_ call: StorageCall) async throws -> XMLElement? {
        let bytes = try await WholeBody(of: call.request).collected(upTo: Self.settingByteCountMax)
        return bytes.isEmpty ? nil : try XMLReader.read(bytes)
    }

    func answer(_ setting: XMLRoute.Setting, of name: BucketName) async throws -> Response {
        guard let bucket = try await blockingWork({ [store] in try store.bucket(named: name) }) else {
            throw XMLFailure.noSuchBucket
        }
        switch setting {
        case .acl: return .xml(.openACL)
        case .location: return .xml(.element("LocationConstraint", "US"))
        case .versioning:
            let status = bucket.settings.isVersioned ? XMLText.element("Status", "Enabled") : nil
            return .xml(.element("VersioningConfiguration", [status]))
        }
    }

    /// Takes a list of who may do what, which changes nothing as everybody may, or whether versions are kept.
    func change(_ setting: XMLRoute.Setting, of name: BucketName, for call: StorageCall) async throws -> Response {
        let requested = try await collectXML(call)
        switch setting {
        case .acl: try await requireBucket(name)
        case .location: throw XMLFailure.methodNotAllowed
        case .versioning:
            let isVersioned = try XMLRoute.isVersioned(requested)
            let changed = try await blockingWork { [store] in
                try store.updateBucket(name) { bucket in
                    var settings = bucket.settings
                    settings.isVersioned = isVersioned
                    return settings
                }
            }
            guard changed != nil else { throw XMLFailure.noSuchBucket }
        }
        return Response(status: .ok)
    }

    func answerACL(of path: ObjectPath) async throws -> Response {
        try await requireObject(path)
        return .xml(.openACL)
    }

    func changeACL(of path: ObjectPath, for call: StorageCall) async throws -> Response {
        _ = try await collectXML(call)
        try await requireObject(path)
        return Response(status: .ok)
    }

    private func requireObject(_ path: ObjectPath) async throws {
        guard try await blockingWork({ [store] in try store.metadata(at: path) }) == nil else { return }
        throw try await missing(path)
    }
}

extension XMLRoute {
    /// Reads whether a bucket is to keep versions.
    fileprivate static func isVersioned(_ element: XMLElement?) throws(XMLFailure) -> Bool {
        guard let element, element.name == "VersioningConfiguration",
            let status = element["Status"]?.text, ["Enabled", "Suspended"].contains(status)
        else { throw .malformedXML("The document must be a VersioningConfiguration with a Status.") }
        return status == "Enabled"
    }
}

extension XMLText {
    /// The name space of listings, which production shares with Amazon's service.
    static let namespace = (name: "xmlns", value: "http://doc.s3.amazonaws.com/2006-03-01")

    /// The name space of multipart uploads, as Google's transfer managers look for it.
    static let partNamespace = (name: "xmlns", value: "http://s3.amazonaws.com/doc/2006-03-01/")

    /// Whom everything belongs to.
    static let owner = element("Owner", [element("ID", "firemeter")])

    /// The access list of everything here: everyone may do everything.
    fileprivate static let openACL = element(
        "AccessControlList",
        [
            owner,
            element(
                "Entries",
                [
                    element(
                        "Entry",
                        [
                            element("Scope", [], attributes: [(name: "type", value: "AllUsers")]),
                            element("Permission", "FULL_CONTROL"),
                        ]
                    )
                ]
            ),
        ]
    )
}
