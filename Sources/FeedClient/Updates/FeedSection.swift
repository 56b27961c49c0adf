// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A part of a screen: one page of the feed under a heading.
public struct FeedSection: Sendable, Hashable {
    /// The heading, such as `filtered` or `recommended`.
    public let name: String
    /// Which posts, and in which order.
    public let query: FeedQuery
    /// The most posts.
    public let size: Int
    /// Which page is shown, from 0.
    public let page: Int
    /// Where the page begins: the cursor of the page before it; without one, all that comes before it is billed as well.
    public let cursor: FeedCursor?

    /// Creates a section of eight posts by default: of 1 to ``FeedRepository/pageSizeMax``.
    public init(
        name: String,
        sort: FeedSort,
        filter: FeedFilter? = nil,
        size: Int = 8,
        page: Int = 0
    ) {
        self.init(name: name, query: FeedQuery(sort, matching: filter), size: size, page: page, cursor: nil)
    }

    /// Creates a section of an app's own posts.
    public init(name: String, query: FeedQuery = FeedQuery(), size: Int = 8, page: Int = 0) {
        self.init(name: name, query: query, size: size, page: page, cursor: nil)
    }

    /// Creates a section that continues where a page ended, with the posts, the order and the size of that page.
    public init(name: String, after cursor: FeedCursor) {
        self.init(
            name: name,
            query: cursor.query,
            size: cursor.size,
            page: cursor.page + 1,
            cursor: cursor
        )
    }

    private init(name: String, query: FeedQuery, size: Int, page: Int, cursor: FeedCursor?) {
        let sizeMax = FeedRepository.pageSizeMax
        precondition((1...sizeMax).contains(size), "a section has 1 to \(sizeMax) posts (not \(size))")
        precondition((0...Int(Int32.max)).contains(page), "a page number is not negative (is \(page))")
        self.name = name
        self.query = query
        self.size = size
        self.page = page
        self.cursor = cursor
    }

    /// The section at the page after this one; `nil` when this one is not full.
    func next(after page: FeedPage<some FeedItem>) -> FeedSection? {
        guard page.posts.count + page.skipped.count == size, let cursor = page.cursor else { return nil }
        return FeedSection(name: name, after: cursor)
    }
}
