// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The content of a view, and how the loading of its images ended.
public struct FeedScreen: Sendable, Hashable {
    /// The posts of the page that came, or the post that was opened.
    public let posts: [FeedPost]
    /// The documents of the page that could not be made posts.
    public internal(set) var skipped: [SkippedDocument] = []
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
    /// Where it came from; `nil` when it did not come.
    public let origin: ImageOrigin?
}

/// The posts that a tab or section has loaded since it was last shown from scratch.
struct FeedList {
    /// Distinguishes this list from those that were shown in its place before.
    let id: Int
    private var cursors: [Int: FeedCursor] = [:]

    init(id: Int) { self.id = id }

    mutating func add(_ page: FeedPage<FeedPost>) { cursors[page.number] = page.cursor }

    /// Where a page begins, if the page before it was loaded and had posts.
    func cursor(before page: Int) -> FeedCursor? { cursors[page - 1] }
}

/// How an app asks for its images otherwise than a ``FeedSession`` would, so that an audit can measure it.
package struct FeedLoading: Sendable {
    /// Makes another reference of the one that a post's document gives.
    package var reference: @Sendable (ImageReference) -> ImageReference = { $0 }
    /// The prefetching for a view.
    package var prepare: @Sendable ([ImageReference]) async throws -> Void = { _ in }
    /// The posts of these names, which a log says were shown, without those that have no image; `nil` where the feed's own
    /// lists say which posts there are.
    package var shownPosts: (@Sendable ([String]) -> [FeedPost])?

    /// Creates the way of a ``FeedSession``.
    package init() {}
}
