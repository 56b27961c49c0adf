// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The progress of an import or export.
package struct ExportCounts: Sendable, Hashable, CustomStringConvertible {
    /// Users of Authentication, those of tenants, too.
    package internal(set) var users = 0
    /// Documents of Firestore.
    package internal(set) var documents = 0
    /// Buckets.
    package internal(set) var buckets = 0
    /// Objects.
    package internal(set) var objects = 0
    /// The objects' size.
    package internal(set) var bytes: Int64 = 0

    /// The counts as people read them: `3 users, 1 bucket, 40 objects, 56.1 MB`.
    package var description: String {
        let things = [(users, "user"), (documents, "document"), (buckets, "bucket"), (objects, "object")]
            .filter { $0.0 > 0 }.map { Self.count($0.0, of: $0.1) }
        let tenths = (bytes + 50_000) / 100_000
        let sizes = objects > 0 ? ["\(tenths / 10).\(tenths % 10) MB"] : []
        return things.isEmpty ? "nothing" : (things + sizes).joined(separator: ", ")
    }

    private static func count(_ count: Int, of thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}
