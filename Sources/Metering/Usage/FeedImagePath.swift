// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The `owner/feed/n` form of an object's name: image `n` of a feed post, or a resized copy of it.
public struct FeedImagePath: Sendable, Hashable, Codable {
    /// The id of the user who owns the post.
    public let owner: String
    /// The id of the post.
    public let feed: String
    /// The image's place in the post; 0 is the thumbnail of the list.
    public let index: Int

    /// Creates a path from its parts.
    public init(owner: String, feed: String, index: Int) {
        self.owner = owner
        self.feed = feed
        self.index = index
    }

    /// Returns `nil` for a name that is not two non-empty segments followed by a decimal number.
    ///
    /// The number may carry an extension, as in `owner/feed/0.jpg`. A resized copy, `owner/feed/0_200x200.jpg`, is of the
    /// image that it was made from, also in a folder of its own, as in `owner/feed/thumbs/0_200x200.jpg`.
    public init?(objectName: String) {
        let segments = objectName.split(separator: "/", omittingEmptySubsequences: false)
        guard (3...4).contains(segments.count), segments.allSatisfy({ !$0.isEmpty }) else { return nil }
        let file = ImageFileName(segments[segments.count - 1])
        guard segments.count == 3 || file.isResized, let index = file.number else { return nil }
        self.init(owner: String(segments[0]), feed: String(segments[1]), index: index)
    }

    /// The name of the image's object when it carries no extension, `owner/feed/n`.
    public var objectName: String { "\(owner)/\(feed)/\(index)" }
}

/// The last segment of an object's name as the name of an image: `stem`, perhaps `_WIDTHxHEIGHT`, perhaps `.jpg`.
///
/// The size is how the Firebase extension Resize Images names what it makes (0.3.3, 2026-04).
struct ImageFileName {
    /// The name before the size and the extension.
    let stem: Substring
    /// Whether the name contains a size.
    let isResized: Bool

    init(_ segment: Substring) {
        let name = segment.lastIndex(of: ".").map { segment[..<$0] } ?? segment
        if let size = name.lastIndex(of: "_"), Self.isSize(name[size...].dropFirst()) {
            stem = name[..<size]
            isResized = true
        } else {
            stem = segment.prefix { $0 != "." }
            isResized = false
        }
    }

    /// The stem as a decimal number, if it is one that a session log takes: larger ones, such as times, count no images.
    var number: Int? { Self.isNumber(stem) ? Int32(stem).map(Int.init) : nil }

    private static func isSize(_ text: Substring) -> Bool {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
        return sides.count == 2 && sides.allSatisfy(isNumber)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
