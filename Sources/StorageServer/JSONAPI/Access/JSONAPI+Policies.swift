// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import HummingbirdCore
import JSON
import ObjectStore
import Wire

extension JSONAPI {
    /// Answers a request about a bucket's IAM policy, which is kept but grants nothing: no caller is refused here.
    func answer(
        _ action: JSONRoute.PolicyAction,
        to name: BucketName,
        for call: StorageCall
    ) async throws -> Response {
        switch action {
        case .getIamPolicy: return call.json(Self.policy(of: try await existingBucket(name)))
        case .setIamPolicy: return call.json(Self.policy(of: try await setPolicy(of: name, for: call)))
        case .testIamPermissions:
            _ = try await existingBucket(name)
            let permissions = call.target.query.filter { $0.name == "permissions" }.map { JSONText.string($0.value) }
            return call.json(
                .object([("kind", "storage#testIamPermissionsResponse"), ("permissions", .array(permissions))])
            )
        }
    }

    private func setPolicy(of name: BucketName, for call: StorageCall) async throws -> BucketMetadata {
        let requested = try await call.jsonBody()
        return try await changeDocument(of: name, isCounted: false, for: call) { document, _ in
            let former = Self.entityTag(of: document.policy)
            if let tag = requested["etag"]?.string, tag != former { throw StorageFailure.preconditionFailed }
            let version = requested["version"]?.integer ?? 1
            let bindings = requested["bindings"]?.array ?? []
            if bindings.contains(where: { $0["condition"] ?? .null != .null }) {
                guard document.isUniform else { throw StorageFailure.conditionNeedsUniformAccess }
                guard version >= 3 else { throw StorageFailure.conditionNeedsVersion }
            }
            let count = (document.policy?["count"]?.integer ?? 1) + 1
            document.policy = .object([
                "version": .integer(version), "bindings": .array(bindings), "count": .integer(count),
            ])
        }
    }

    private static func policy(of bucket: BucketMetadata) -> JSONText {
        let document = BucketDocument(bucket.settings)
        let policy = document.policy
        let bindings = policy?["bindings"]?.array ?? legacyBindings(of: document.project ?? projectNumber)
        return .object([
            ("kind", "storage#policy"),
            ("resourceId", .string("projects/_/buckets/\(bucket.name)")),
            ("version", .integer(policy?["version"]?.integer ?? 1)),
            ("etag", .string(entityTag(of: policy))),
            ("bindings", .array(bindings.map(JSONText.init))),
        ])
    }

    /// A tag that changes with each change of the policy.
    private static func entityTag(of policy: JSONValue?) -> String {
        let count = UInt8(truncatingIfNeeded: policy?["count"]?.integer ?? 1)
        return Data([0x08, count]).base64EncodedString()
    }

    /// The policy of a new bucket (https://cloud.google.com/storage/docs/access-control/iam-roles, 2026-11).
    ///
    /// It names the project by its id, as googleapis/nodejs-storage 7.19 expects of the bucket that it created with one
    /// (`system-test/storage.ts`, "should get a policy").
    private static func legacyBindings(of project: String) -> [JSONValue] {
        let owners: [JSONValue] = [.string("projectEditor:\(project)"), .string("projectOwner:\(project)")]
        return [
            .object(["role": .string("roles/storage.legacyBucketOwner"), "members": .array(owners)]),
            .object([
                "role": .string("roles/storage.legacyBucketReader"),
                "members": .array([.string("projectViewer:\(project)")]),
            ]),
        ]
    }
}

extension StorageFailure {
    fileprivate static let conditionNeedsUniformAccess = Self(
        status: 412,
        message: "To set a condition on a role binding, enable uniform bucket-level access on the bucket.",
        reason: "conditionNotMet"
    )

    fileprivate static let conditionNeedsVersion = invalid(
        "Policies with conditions must have a version of at least 3."
    )
}
