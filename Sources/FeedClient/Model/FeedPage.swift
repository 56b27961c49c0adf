// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
