// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A post of the feed, without its images' bytes.
package struct FeedPost: Sendable, Hashable {
    /// The id of the user who owns the post.
    package let owner: String
    /// The post's id, the `feed` of its images' names `owner/feed/n`; unique among its owner's posts.
    package let id: String
    /// The id of the post's document, unique in the feed.
    ///
    /// Equal to `id`, except in a feed derived from folders where two owners have a post of that name: then
    /// `owner_id`.
    package let documentID: String
    /// The title as shown.
    package let title: String
    /// How many like it.
    package let likes: Int
    /// When it was posted.
    package let createdAt: FeedTime
    /// How many images it has, at least one, numbered from 0.
    package let imageCount: Int
}

/// Someone who posts.
package struct FeedUser: Sendable, Hashable {
    /// The user's id, unique in the feed.
    package let id: String
    /// The user's name as shown.
    package let name: String
}

/// One image of a post, ready to be uploaded.
package struct SeedImage: Sendable, Hashable {
    /// The file.
    package let bytes: [UInt8]
    /// The media type by the file's content, for example `image/jpeg`.
    package let contentType: String
    /// The width as stored.
    package let pixelWidth: Int
    /// The height as stored.
    package let pixelHeight: Int
}

/// The rules of an id: one segment of a document's path and of an object's name alike.
enum FeedIdentifier {
    static let rule = "an id of 1 to \(FeedLimits.idByteCountMax) bytes without /, control characters, ., .. or __*__"

    /// Firestore reserves `.`, `..` and `__*__`; Cloud Storage forbids line breaks in names.
    static func isValid(_ id: String) -> Bool {
        guard (1...FeedLimits.idByteCountMax).contains(id.utf8.count), id != ".", id != ".." else { return false }
        if id.utf8.count >= 4, id.hasPrefix("__"), id.hasSuffix("__") { return false }
        // Bytes, not characters: "\r\n" is a single Character.
        return id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F }
    }
}

/// How large a feed may be.
enum FeedLimits {
    /// The most users.
    static let userCountMax = 100_000
    /// The most posts.
    package static let postCountMax = 100_000
    /// The most images of one post.
    static let imageCountMax = 50
    /// The most likes of one post.
    static let likeCountMax = 1_000_000_000
    /// The longest id; an object's name, which holds two of them, may have 1,024 bytes (Cloud Storage).
    static let idByteCountMax = 256
    /// The longest name or title, so that Firestore indexes it whole (1,500 bytes).
    package static let textByteCountMax = 1_500
    /// The largest feed.json.
    static let descriptionByteCountMax = 64 << 20
    /// The largest image file; it is read whole, one at a time.
    package static let imageByteCountMax = 512 << 20
}
