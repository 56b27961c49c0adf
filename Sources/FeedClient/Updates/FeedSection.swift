// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A part of a screen: one page of the feed under a heading.
public struct FeedSection: Sendable, Hashable {
    /// The heading, such as `filtered` or `recommended`.
    public var name: String
    /// The order of the posts.
    public var sort: FeedSort
    /// Which posts; `nil` for all.
    public var filter: FeedFilter?
    /// The most posts.
    public var size: Int
    /// Which page is shown, from 0; what comes before it is counted, and billed, unless there is a cursor.
    public var page: Int
    /// Where the page begins: the cursor of the page before it.
    public var cursor: FeedCursor?

    /// Creates a section of eight posts, unless told otherwise.
    public init(
        name: String,
        sort: FeedSort,
        filter: FeedFilter? = nil,
        size: Int = 8,
        page: Int = 0,
        cursor: FeedCursor? = nil
    ) {
        self.name = name
        self.sort = sort
        self.filter = filter
        self.size = size
        self.page = page
        self.cursor = cursor
    }

    /// The section at the page after this one; `nil` when this one is not full.
    func next(after page: FeedPage) -> FeedSection? {
        guard page.posts.count == size, let cursor = page.cursor else { return nil }
        var next = self
        next.page += 1
        next.cursor = cursor
        return next
    }
}
