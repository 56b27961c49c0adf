// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The content of a post's cell.
public struct PostInfo: Sendable, Hashable {
    /// The post.
    public let post: FeedPost
    /// The layout of its thumbnails.
    public let thumbnailCount: ThumbnailCount
    /// The images that are shown, in their order.
    public let thumbnails: [ImageReference]

    /// Creates the information of a post; `nil` for one without images.
    public init?(_ post: FeedPost, in bucket: String) {
        guard let thumbnailCount = ThumbnailCount(imageCount: post.images.count) else { return nil }
        self.post = post
        self.thumbnailCount = thumbnailCount
        thumbnails = post.images.prefix(thumbnailCount.rawValue).map { post.reference(to: $0, in: bucket) }
    }
}
