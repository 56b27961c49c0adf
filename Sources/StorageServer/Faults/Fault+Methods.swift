// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Fault {
    /// The methods that faults can be planned for, by the names of Google's JSON API.
    ///
    /// `storage.objects.get` stands for downloads of every API as well, `storage.objects.insert` for every request of an
    /// upload. Source: https://github.com/googleapis/storage-testbench `rest_server.py` (0.45, 2026-11).
    static let methods: Set<String> = {
        let changes = ["insert", "get", "list", "update", "patch", "delete"]
        let operations: [String: [String]] = [
            "buckets": changes + ["getIamPolicy", "setIamPolicy", "testIamPermissions", "lockRetentionPolicy"],
            "bucket_acl": changes,
            "default_object_acl": changes,
            "object_acl": changes,
            "notifications": ["list", "insert", "get", "delete"],
            "objects": changes + ["compose", "copy", "rewrite", "restore"],
            "hmacKey": ["create", "list", "get", "update", "delete"],
            "serviceaccount": ["get"],
        ]
        return Set(operations.flatMap { collection, names in names.map { "storage.\(collection).\($0)" } })
    }()
}
