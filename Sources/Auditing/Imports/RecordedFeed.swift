// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
import Foundation
import Metering
package import SessionLog

/// A feed as a log of requests shows it: which posts there are, which images they have and how large these are.
package struct RecordedFeed: Sendable {
    /// An object that holds an image.
    struct ObjectName: Hashable, Sendable {
        let bucket: String
        let name: String
    }

    /// The object's bytes in one generation.
    struct Content: Hashable, Sendable {
        var generation: Int64 = 1
        let byteCount: Int
    }

    /// Where a feed is taken to live of which the log does not say it; it is in no report.
    static let address = SessionHeader.Feed(
        project: "imported",
        database: "(default)",
        collection: "posts",
        bucket: "imported"
    )

    /// The posts by their name, which is their id, too.
    private let posts: [String: FeedPost]
    /// The contents of the images' objects.
    let contents: [ObjectName: Content]
    /// The widths and heights in pixels that the log says.
    let pixelSizes: [ObjectName: SessionObject.Pixels]

    /// Whether the log says how many pixels images have, and so how large smaller copies are taken to be.
    package var knowsPixels: Bool { !pixelSizes.isEmpty }

    /// Takes the images of a log with the sizes that it says.
    package init(of images: [SessionImage]) {
        let contents = images.map { (Self.objectName(of: $0), Content(byteCount: Int($0.byteCount))) }
        self.init(
            of: images,
            contents: Dictionary(contents, uniquingKeysWith: { $0.byteCount > $1.byteCount ? $0 : $1 })
        )
    }

    /// Takes the images of a log with other contents.
    init(of images: [SessionImage], contents: [ObjectName: Content]) {
        self.contents = contents
        pixelSizes = Dictionary(
            images.compactMap { image in image.pixels.map { (Self.objectName(of: image), $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        var found: [String: [Int: FeedImage]] = [:]
        for image in images {
            let path = FeedImagePath(objectName: image.object)
            guard let post = image.place?.post ?? path.map({ "\($0.owner)/\($0.feed)" }) else { continue }
            let index = image.place?.index ?? path?.index ?? 0
            let object = Self.objectName(of: image)
            found[post, default: [:]][index] = FeedImage(
                index: index,
                pixelWidth: image.pixels?.uprightWidth ?? 0,
                pixelHeight: image.pixels?.uprightHeight ?? 0,
                byteCount: contents[object]?.byteCount,
                generation: contents[object]?.generation,
                location: .object(bucket: object.bucket, name: object.name)
            )
        }
        posts = found.reduce(into: [:]) { posts, entry in
            let parts = entry.key.split(separator: "/", maxSplits: 1).map(String.init)
            posts[entry.key] = FeedPost(
                id: entry.key,
                ownerID: parts.first ?? "",
                feedID: parts.dropFirst().first ?? "",
                title: "",
                likes: 0,
                createdAt: Date(timeIntervalSince1970: 0),
                images: entry.value.values.sorted { $0.index < $1.index }
            )
        }
    }

    /// The posts of these names; those of which no image is known are left out.
    func posts(named names: [String]) -> [FeedPost] { names.compactMap { posts[$0] } }

    /// The objects with their sizes, in the order of their names, and such copies of the posts' first images.
    package func objects(
        withCopies variants: [ResizedVariant]
    ) -> [(bucket: String, name: String, byteCount: Int64)] {
        var sizes = contents.mapValues(\.byteCount)
        for post in posts.values {
            for reference in post.references(to: .thumbnail, in: Self.address.bucket) {
                guard case .object(let bucket, let name) = reference.location else { continue }
                for variant in variants {
                    guard case .object(_, let copy) = reference.resized(to: variant).location else { continue }
                    sizes[ObjectName(bucket: bucket, name: copy)] =
                        byteCount(of: ObjectName(bucket: bucket, name: name), resizedTo: variant)
                }
            }
        }
        return sizes.sorted { ($0.key.bucket, $0.key.name) < ($1.key.bucket, $1.key.name) }
            .map { ($0.key.bucket, $0.key.name, Int64($0.value)) }
    }

    /// The object of an image; where the log does not say the bucket, it is the feed's.
    static func objectName(of image: SessionImage) -> ObjectName {
        let bucket = image.place?.bucket ?? ""
        return ObjectName(bucket: bucket.isEmpty ? address.bucket : bucket, name: image.object)
    }
}
