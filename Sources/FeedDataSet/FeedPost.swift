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
