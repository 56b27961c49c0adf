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

    /// The reference of an image of this post.
    public func reference(to image: FeedImage, in bucket: String) -> ImageReference {
        ImageReference(
            image.location ?? .object(bucket: bucket, name: "\(ownerID)/\(feedID)/\(image.index)"),
            role: image.index == 0 ? .thumbnail : .full,
            generation: image.generation,
            token: image.token,
            byteCount: image.byteCount
        )
    }
}

/// One page of posts, as one query returned it.
public struct FeedPage: Sendable, Hashable {
    /// The order of the posts.
    public let sort: FeedSort
    /// The page's number, from 0.
    public let number: Int
    /// The posts; fewer than asked for on the last page, none beyond it.
    public let posts: [FeedPost]
    /// Where the next page begins; `nil` for a page without posts.
    public let cursor: FeedCursor?
}

/// The place after the last post of a page.
///
/// A query from a cursor is billed for the posts it returns; one with an offset also for those it skips.
public struct FeedCursor: Sendable, Hashable {
    let sort: FeedSort
    /// The number of the page that ends here, the most posts it could have, and which.
    let page: Int
    let size: Int
    let filter: FeedFilter?
    /// The last post's value of the field that orders the feed, exactly as the server wrote it.
    let orderValue: FieldValue
    let documentName: String

    enum FieldValue: Sendable, Hashable {
        case integer(Int64)
        case timestamp(String)
    }
}
