// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// The objects and documents loaded from a feed data set.
package struct SeedCounts: Sendable, Hashable, Codable {
    /// Posts.
    package internal(set) var posts = 0
    /// Images.
    package internal(set) var images = 0
    /// The images' size.
    package internal(set) var bytes: Int64 = 0

    mutating func add(_ images: [StoredImage]) {
        posts += 1
        self.images += images.count
        bytes += images.reduce(0) { $0 + $1.metadata.byteCount }
    }
}

extension SeedCounts: CustomStringConvertible {
    /// The counts as people read them: `40 posts, 160 images, 56.1 MB`.
    package var description: String {
        let tenths = (bytes + 50_000) / 100_000
        let things = [Self.count(posts, "post"), Self.count(images, "image")]
        return things.joined(separator: ", ") + ", \(tenths / 10).\(tenths % 10) MB"
    }

    private static func count(_ count: Int, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}
