// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import ObjectStore

extension BucketDocument {
    /// The members that a client may set when it creates a bucket.
    private static let settable: Set<String> = [
        "acl", "autoclass", "billing", "cors", "customPlacementConfig", "defaultEventBasedHold", "defaultObjectAcl",
        "encryption", "hierarchicalNamespace", "iamConfiguration", "ipFilter", "labels", "lifecycle", "location",
        "logging", "objectRetention", "retentionPolicy", "rpo", "softDeletePolicy", "storageClass", "versioning",
        "website",
    ]
    /// Those of them that stay as they were when the bucket was created.
    private static let fixed: Set<String> = ["customPlacementConfig", "hierarchicalNamespace", "location"]
    /// Those that a PUT without them leaves as they are.
    private static let lasting: Set<String> = fixed.union([
        "acl", "defaultObjectAcl", "locationType", "objectRetention",
    ])

    /// Sets what the client of a new bucket names.
    mutating func create(_ requested: [String: JSONValue], at now: Int64) throws(StorageFailure) {
        for (key, value) in requested where Self.settable.contains(key) && value != .null {
            resource[key] = JSONValue.null.merged(with: value)
        }
        try complete(since: BucketDocument(), at: now)
    }

    /// Changes what a PATCH names, or with PUT makes everything as the body says.
    mutating func change(_ requested: [String: JSONValue], replacingAll: Bool, at now: Int64) throws(StorageFailure) {
        let former = self
        if replacingAll { resource = resource.filter { Self.lasting.contains($0.key) } }
        for (key, value) in requested where Self.settable.contains(key) && !Self.fixed.contains(key) {
            resource[key] = value == .null ? nil : (resource[key] ?? .null).merged(with: value)
        }
        try former.requireNoUniformAccess(for: requested, after: self)
        try complete(since: former, at: now)
        try requireNothingPublic(in: requested)
    }

    /// Lists cannot be changed where access is uniform; a whole resource that is sent back with its lists is not a change.
    private func requireNoUniformAccess(
        for requested: [String: JSONValue],
        after changed: BucketDocument
    ) throws(StorageFailure) {
        guard isUniform, changed.isUniform else { return }
        for key in ["acl", "defaultObjectAcl"] where !(requested[key]?.array ?? []).isEmpty { throw .uniformAccess }
    }

    private func requireNothingPublic(in requested: [String: JSONValue]) throws(StorageFailure) {
        guard preventsPublicAccess else { return }
        for key in ["acl", "defaultObjectAcl"] {
            try (ObjectChanges.accessControls(requested[key] ?? .null) ?? []).requireNothingPublic()
        }
    }
}

extension [AccessControl] {
    /// Throws when an unknown entity is granted anything.
    func requireNothingPublic() throws(StorageFailure) {
        guard contains(where: { ["allUsers", "allAuthenticatedUsers"].contains($0.entity) }) else { return }
        throw StorageFailure(
            status: 412,
            message: "The member bindings allUsers and allAuthenticatedUsers are not allowed since public access"
                + " prevention is enforced.",
            reason: "conditionNotMet"
        )
    }
}

extension StorageFailure {
    /// Production's refusal of access control lists where access is uniform.
    static let uniformAccess = invalid(
        "Cannot use ACL API to update bucket policy when uniform bucket-level access is enabled."
            + " Read more at https://cloud.google.com/storage/docs/uniform-bucket-level-access"
    )
}
