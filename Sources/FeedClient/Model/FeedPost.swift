// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A post of the feed; its images are the objects `ownerID/feedID/0`, `ownerID/feedID/1` and so on.
public struct FeedPost: Sendable, Hashable, Identifiable {
    /// The id of the post's document.
    public let id: String
    /// The user who owns the post: the first segment of its images' names.
    public let ownerID: String
    /// The second segment of its images' names.
    public let feedID: String
    /// The title.
    public let title: String
    /// The number of likes.
    public let likes: Int
    /// When the post was made.
    public let createdAt: Date
    /// The images in their order; image 0 is the thumbnail of the list.
    public let images: [FeedImage]

    /// Creates a post.
    public init(
        id: String,
        ownerID: String,
        feedID: String,
        title: String,
        likes: Int,
        createdAt: Date,
        images: [FeedImage]
    ) {
        self.id = id
        self.ownerID = ownerID
        self.feedID = feedID
        self.title = title
        self.likes = likes
        self.createdAt = createdAt
        self.images = images
    }
}

extension FeedPost: FeedItem {
    /// The reference of an image of this post: the object `ownerID/feedID/index`.
    public func reference(to image: FeedImage, in bucket: String) -> ImageReference {
        image.reference(orObject: "\(ownerID)/\(feedID)/\(image.index)", in: bucket)
    }
}
