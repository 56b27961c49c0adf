// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import Foundation
import ObjectStore
import PhotoRendering

/// The note in a data directory that a data set has been loaded to its end.
///
/// It is written last and removed first, so that a half-loaded data set is loaded again.
struct SeedMark: Codable, Equatable {
    static let fileName = "seeded.json"

    let project: String
    let database: String
    let bucket: String
    let collection: String
    /// Of everything that is loaded except the bytes of image files.
    let fingerprint: String
    let loaded: SeedCounts

    init(_ dataSet: FeedDataSet, loaded: SeedCounts) {
        project = dataSet.project
        database = dataSet.database
        bucket = dataSet.bucket
        collection = dataSet.collection
        fingerprint = dataSet.fingerprint
        self.loaded = loaded
    }

    /// Returns the mark of a directory; `nil` when there is none or it is not whole.
    static func read(in directory: String) -> Self? {
        guard let data = FileManager.default.contents(atPath: path(in: directory)) else { return nil }
        return try? JSONDecoder().decode(Self.self, from: data)
    }

    static func remove(in directory: String) throws {
        guard FileManager.default.fileExists(atPath: path(in: directory)) else { return }
        try FileManager.default.removeItem(atPath: path(in: directory))
    }

    func write(in directory: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let file = URL(fileURLWithPath: Self.path(in: directory))
        try (encoder.encode(self) + Data("\n".utf8)).write(to: file, options: .atomic)
    }

    private static func path(in directory: String) -> String { "\(directory)/\(fileName)" }
}

extension FeedDataSet {
    fileprivate var fingerprint: String {
        var hash = StableHash()
        for post in posts {
            let texts = [post.owner, post.id, post.documentID, post.title, post.createdAt.rfc3339]
            for text in texts { hash.combine(text) }
            hash.combine(UInt64(post.likes))
            hash.combine(UInt64(post.imageCount))
        }
        if case .rendered(let renderer) = images {
            hash.combine(renderer.seed)
            hash.combine(UInt64(renderer.byteCounts.median))
            hash.combine(renderer.byteCounts.sigma.bitPattern)
        }
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The part of a data set that cannot be loaded.
enum SeedFailure: Error, CustomStringConvertible {
    case badBucket(String)
    case badObject(String)
    case cannotResize(String, any Error)
    case objectCutShort(String)

    var description: String {
        switch self {
        case .badBucket(let name): "'\(name)' is no bucket name"
        case .badObject(let name): "'\(name)' is no object name"
        case .cannotResize(let name, let error): "cannot make a smaller copy of \(name): \(error)"
        case .objectCutShort(let name): "\(name) was changed while it was read"
        }
    }
}

/// How far the loading of a data set has come.
package struct SeedProgress: Sendable, Hashable {
    /// The images of the data set.
    package let imageCountTotal: Int
    /// The posts to load, whole ones only.
    package internal(set) var loaded = SeedCounts()
}

/// How the loading of a data set ended.
package enum SeedOutcome: Sendable, Hashable {
    /// Everything was loaded.
    case seeded(SeedCounts)
    /// An earlier run has loaded this very data set, and the data directory was left as it is.
    case alreadySeeded(SeedCounts)
}

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
        let things = [Self.count(posts, of: "post"), Self.count(images, of: "image")]
        return things.joined(separator: ", ") + ", \(tenths / 10).\(tenths % 10) MB"
    }

    private static func count(_ count: Int, of thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }
}
