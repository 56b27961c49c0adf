// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Gives the pages of a feed: a collection of Firestore, or an app's own server.
///
/// ```swift
/// struct RecipeServer: FeedSource {
///     func page(of section: FeedSection) async throws -> FeedPage<Recipe> {
///         let (data, _) = try await URLSession.shared.data(from: address(section.cursor?.token, section.size))
///         let answer = try JSONDecoder().decode(Answer.self, from: data)
///         return FeedPage(
///             number: section.page,
///             posts: answer.recipes,
///             cursor: answer.next.map { FeedCursor(token: $0, after: section) }
///         )
///     }
/// }
/// ```
public protocol FeedSource<Item>: Sendable {
    /// The posts.
    associatedtype Item: FeedItem

    /// The bucket of the images that have no location of their own; empty unless a source has one.
    var bucket: String { get }

    /// Fetches the page of a section; at most ``FeedSection/size`` posts.
    func page(of section: FeedSection) async throws -> FeedPage<Item>
}

extension FeedSource {
    /// No bucket.
    public var bucket: String { "" }
}

extension FeedRepository: FeedSource {
    /// The endpoint's bucket.
    public var bucket: String { endpoint.bucket }

    /// Fetches the page of a section.
    public func page(of section: FeedSection) async throws -> FeedPage<FeedPost> {
        try await page(of: FeedPost.self, in: section)
    }

    /// The documents as posts of an app's own type.
    public func source<Item: DocumentItem>(of type: Item.Type) -> some FeedSource<Item> {
        DocumentSource<Item>(repository: self)
    }

    /// Fetches the page of a section as posts of an app's own type.
    func page<Item: DocumentItem>(of type: Item.Type, in section: FeedSection) async throws -> FeedPage<Item> {
        try await page(
            of: type,
            section.query,
            number: section.page,
            size: section.size,
            after: section.cursor
        )
    }
}

/// Reads documents as posts of an app's own type.
private struct DocumentSource<Item: DocumentItem>: FeedSource {
    let repository: FeedRepository

    var bucket: String { repository.endpoint.bucket }

    func page(of section: FeedSection) async throws -> FeedPage<Item> {
        try await repository.page(of: Item.self, in: section)
    }
}
