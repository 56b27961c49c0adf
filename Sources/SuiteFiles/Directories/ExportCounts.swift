// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The progress of an import or export.
package struct ExportCounts: Sendable, Hashable, CustomStringConvertible {
    /// Buckets.
    package internal(set) var buckets = 0
    /// Objects.
    package internal(set) var objects = 0
    /// The objects' size.
    package internal(set) var bytes: Int64 = 0

    /// The counts as people read them: `1 bucket, 40 objects, 56.1 MB`.
    package var description: String {
        let tenths = (bytes + 50_000) / 100_000
        let things = [Self.count(buckets, of: "bucket"), Self.count(objects, of: "object")]
        return things.joined(separator: ", ") + ", \(tenths / 10).\(tenths % 10) MB"
    }

    private static func count(_ count: Int, of thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}
