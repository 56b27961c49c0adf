// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// One page of posts, as one query returned it.
public struct FeedPage<Item: FeedItem>: Sendable {
    /// The page's number, from 0.
    public let number: Int
    /// The posts; fewer than asked for on the last page, none beyond it.
    public let posts: [Item]
    /// The documents of the page that could not be made posts.
    public let skipped: [SkippedDocument]
    /// Where the next page begins; `nil` for a page without documents.
    public let cursor: FeedCursor?

    /// Creates a page; sources of an app's own return it.
    public init(number: Int, posts: [Item], skipped: [SkippedDocument] = [], cursor: FeedCursor?) {
        self.number = number
        self.posts = posts
        self.skipped = skipped
        self.cursor = cursor
    }
}

extension FeedPage: Equatable where Item: Equatable {}
extension FeedPage: Hashable where Item: Hashable {}

/// A document that a list passes over, as the list's type of posts cannot be made of it.
public struct SkippedDocument: Sendable, Hashable {
    /// The document's path, such as `posts/p012`, or another name that its source gives it.
    public let path: String
    /// The field that does not fit, and why.
    public let problem: String

    /// Creates a report of a document.
    public init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    /// The error for those who must not miss a document.
    package var error: FeedError { FeedError(code: .documentInvalid, message: "\(path): \(problem)") }
}

/// The place after the last post of a page.
///
/// A query from a cursor is billed for the posts it returns; one with an offset also for those it skips.
public struct FeedCursor: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        /// After a document, whose values of the fields that order the list are exactly as the server wrote them.
        case document(name: String, orderValues: [JSONValue])
        case token(String)
    }

    let query: FeedQuery
    /// The number of the page that ends here.
    let page: Int
    /// The most posts that it could have.
    let size: Int
    let place: Place

    init(query: FeedQuery, page: Int, size: Int, place: Place) {
        self.query = query
        self.page = page
        self.size = size
        self.place = place
    }

    /// Creates the place after a section, by a token that only its source understands.
    public init(token: String, after section: FeedSection) {
        self.init(query: section.query, page: section.page, size: section.size, place: .token(token))
    }

    /// The token of a place that a source of an app's own made.
    public var token: String? {
        guard case .token(let token) = place else { return nil }
        return token
    }
}
