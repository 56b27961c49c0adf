// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// The posts and images of a feed as one strategy asks for them, each with a number: what many users ask for has its place in an
/// array, and the servers are asked once.
struct SimulatedFeed: Sendable {
    /// A post, and the numbers of the images that are loaded of it.
    struct Post: Sendable {
        let owner: String
        let id: String
        /// The images that a list loads.
        let listed: [Int]
        /// The images that are loaded when it is opened.
        let opened: [Int]
    }

    /// A page of a list.
    struct Page: Sendable {
        /// The numbers of its posts.
        let posts: [Int]
        /// What its query cost.
        let query: ExchangeCost
        fileprivate let cursor: FeedCursor?
        fileprivate let exchange: FeedCatalog.Exchange
    }

    private struct PageKey: Hashable {
        let listing: Int
        let number: Int
        let size: Int
        /// The page before it, if its user has it.
        let previous: Int?
    }

    let strategy: Strategy
    /// Whether the posts are those that a log of requests shows.
    var isRecorded: Bool { catalog.isRecorded }
    private let catalog: FeedCatalog
    private(set) var posts: [Post] = []
    private(set) var pages: [Page] = []
    private(set) var images = ImageTable()
    private var postNumbers: [String: Int] = [:]
    private var unknownPosts: Set<String> = []
    private var pageNumbers: [PageKey: Int] = [:]
    private var listingNumbers: [SessionView.Listing: Int] = [:]

    init(_ catalog: FeedCatalog, strategy: Strategy) { (self.catalog, self.strategy) = (catalog, strategy) }

    /// The number of a list.
    mutating func number(of listing: SessionView.Listing) -> Int {
        if let number = listingNumbers[listing] { return number }
        let number = listingNumbers.count
        listingNumbers[listing] = number
        return number
    }

    /// The number of a page of a list; `previous` is that of the page before it.
    mutating func page(
        _ listing: SessionView.Listing,
        number: Int,
        size: Int,
        after previous: Int?
    ) async throws -> Int {
        let key = PageKey(listing: self.number(of: listing), number: number, size: size, previous: previous)
        if let known = pageNumbers[key] { return known }
        let (page, exchange) = try await catalog.page(
            listing,
            number: number,
            size: size,
            after: previous.flatMap { pages[$0].cursor }
        )
        let posts = page.posts.map { self.number(of: $0) }
        pages.append(Page(posts: posts, query: ExchangeCost(exchange), cursor: page.cursor, exchange: exchange))
        pageNumbers[key] = pages.count - 1
        return pages.count - 1
    }

    /// The number of a post that was shown; `nil` where none was of this name.
    func post(named id: String) -> Int? { postNumbers[id] }

    /// The numbers of the posts of these names; those of which no image is known are left out.
    mutating func posts(named names: [String]) -> [Int] {
        names.compactMap { name in
            if let known = postNumbers[name] { return known }
            guard !unknownPosts.contains(name) else { return nil }
            guard let post = catalog.posts(named: [name]).first else {
                unknownPosts.insert(name)
                return nil
            }
            return number(of: post)
        }
    }

    /// Asks for an image.
    mutating func ask(_ condition: ImageTable.Condition) async throws {
        var request = images.images[condition.image].reference.request(storage: catalog.endpoint.storage)
        let tag = images.tags[condition.tag]
        switch condition.kind {
        case .whole: break
        case .revalidated: request.revalidate(tag)
        case .resumed: request.resume(afterByteCount: condition.headByteCount, entityTag: tag)
        }
        images.note(try await catalog.exchange(request), for: condition)
    }

    /// Asks for the address of an image; `nil` for one that is elsewhere than in Cloud Storage.
    mutating func lookUp(_ image: Int) async throws -> Int? {
        let reference = images.images[image].reference
        guard let request = reference.metadataRequest(storage: catalog.endpoint.storage) else { return nil }
        images.note(lookup: try await catalog.exchange(request), of: image)
        return images.lookup(of: image)
    }

    /// The query of a page as a tape has it.
    func tapedQuery(ofPage page: Int) -> TapedRequest { TapedRequest(pages[page].exchange) }

    private mutating func number(of post: FeedPost) -> Int {
        if let known = postNumbers[post.id] { return known }
        let number = posts.count
        let shapes = shapes(of: post)
        func numbers(of set: ImageSet) -> [Int] {
            strategy.references(to: set, of: [post], in: catalog.endpoint.bucket).map { reference in
                images.number(of: reference, post: number, shape: shapes[reference.subject])
            }
        }
        let listed = numbers(of: strategy.mode.listed)
        let opened = strategy.opened.map(numbers) ?? []
        posts.append(Post(owner: post.ownerID, id: post.id, listed: listed, opened: opened))
        postNumbers[post.id] = number
        return number
    }

    private func shapes(of post: FeedPost) -> [String: ImageTable.Shape] {
        var shapes: [String: ImageTable.Shape] = [:]
        for (image, reference) in zip(post.images, post.references(to: .full, in: "")) {
            shapes[reference.subject] = ImageTable.Shape(pixelWidth: image.pixelWidth)
            guard let variant = strategy.resizedVariant else { continue }
            let width = variant.fittedWidth(pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight)
            let copy = reference.resized(to: variant).subject
            shapes[copy] = ImageTable.Shape(pixelWidth: width, isCopy: true)
        }
        return shapes
    }
}
