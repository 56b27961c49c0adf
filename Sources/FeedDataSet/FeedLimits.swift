// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
