// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The content of a view, and how the loading of its images ended.
public struct FeedScreen: Sendable, Hashable {
    /// The posts of the page that came, or the post that was opened.
    public let posts: [FeedPost]
    /// The images that came.
    public internal(set) var imageCount = 0
    /// The images that could not be loaded.
    public internal(set) var failedImageCount = 0
    /// The bytes of the images that came, from caches or network.
    public internal(set) var byteCount = 0
}

/// An image of a post, as it is handed to the screen.
public struct LoadedImage: Sendable {
    /// The post.
    public let post: FeedPost
    /// Which of its images.
    public let image: FeedImage
    /// The encoded image, or why it did not come.
    public let result: Result<Data, FeedError>
}
