// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which documents a list shows, and in which order.
///
///     FeedQuery(collection: "recipes", filters: [FeedFilter(field: "vegan", equals: .boolean(true))], orders: [.descending("stars")])
///
/// Production needs a composite index for most pairs of filters and orders; `firemeter serve --require-indexes` prints
/// which.
public struct FeedQuery: Sendable, Hashable {
    /// The collection, such as `posts` or `users/u1/posts`; `nil` for that of the endpoint.
    public var collection: String?
    /// The conditions, all of which hold of every document.
    public var filters: [FeedFilter]
    /// The fields that order the documents; of equal ones their names decide.
    public var orders: [FeedOrder]

    /// Creates a query; of all documents in the order of their names by default.
    public init(collection: String? = nil, filters: [FeedFilter] = [], orders: [FeedOrder] = []) {
        self.collection = collection
        self.filters = filters
        self.orders = orders
    }

    /// Creates the query of a tab of ``FeedPost``s.
    public init(_ sort: FeedSort, matching filter: FeedFilter? = nil) {
        self.init(filters: filter.map { [$0] } ?? [], orders: [.descending(sort.fieldPath)])
    }
}

/// One field by which documents are ordered.
public struct FeedOrder: Sendable, Hashable {
    /// The field's path, as in `stats.likes`.
    public let field: String
    /// Whether the greatest comes first.
    public let isDescending: Bool

    /// The least first.
    public static func ascending(_ field: String) -> Self { Self(field: field, isDescending: false) }
    /// The greatest first.
    public static func descending(_ field: String) -> Self { Self(field: field, isDescending: true) }
}
