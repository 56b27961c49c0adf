// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A cell, or any view, that shows one kind of information.
///
/// The kind is the protocol's primary associated type: a list holds cells of different classes as
/// `any InfoConfiguring<PostInfo>` and configures them alike, where a plain protocol would need a generic function
/// `where Info == PostInfo` at every place.
public protocol InfoConfiguring<Info> {
    /// The image shown.
    associatedtype Info

    /// Shows the information.
    mutating func configure(with info: Info)
}

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
