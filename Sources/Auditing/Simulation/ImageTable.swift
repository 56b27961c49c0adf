// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The images that a strategy asks for, and what their servers answer, each by its number.
struct ImageTable: Sendable {
    /// The description of an image in its post's document.
    struct Shape: Sendable {
        /// The pixels across; 0 where they are not known.
        var pixelWidth = 0
        /// Whether it is a smaller copy, which only a list shows.
        var isCopy = false
    }

    /// An image of a post.
    struct Image: Sendable {
        let reference: ImageReference
        /// The number of its post.
        let post: Int
        /// The number of its cache key.
        let key: Int
        let hasGeneration: Bool
        /// The number of the key of its beginning, which is resumed if a cache has it.
        let headKey: Int?
        /// The bytes that its document says; 0 where it does not.
        let expectedByteCount: Int
        let shape: Shape
        fileprivate var whole: Int?
        fileprivate var lookup: Int?
    }

    /// A cache key by its number, with what policies distinguish it by in memory and on disk.
    struct Key: Sendable {
        let number: Int
        let idInMemory: UInt64
        let idOnDisk: UInt64
    }

    /// How an image is asked for: the validators that a cache has.
    struct Condition: Sendable, Hashable {
        enum Kind { case whole, revalidated, resumed }

        let image: Int
        var kind = Kind.whole
        /// The number of the entity tag that a cache has.
        var tag = 0
        /// The bytes of the image's beginning that a cache has.
        var headByteCount = 0
    }

    /// The result of asking for an image.
    struct Arrival: Sendable {
        /// The number of the request.
        let exchange: Int
        let status: Int
        /// The bytes of the image, together with its beginning where only the rest was asked for.
        let byteCount: Int
        /// The number of its entity tag.
        let tag: Int
        /// For how many microseconds it is fresh.
        let lifetime: Int64
        let isStorable: Bool
        /// The key of the generation that came; `nil` for the key that was asked for.
        let servedKey: Int?
        /// Whether a later generation than the one asked for came.
        let isLater: Bool
    }

    private(set) var images: [Image] = []
    private(set) var keys: [Key] = []
    private(set) var arrivals: [Arrival] = []
    private(set) var costs: [ExchangeCost] = []
    /// The entity tags; the first is empty.
    private(set) var tags = [""]
    private var keyTexts: [String] = []
    private var exchanges: [FeedCatalog.Exchange] = []
    private var imageNumbers: [PostImage: Int] = [:]
    private var keyNumbers: [String: Int] = [:]
    private var tagNumbers = ["": 0]
    private var conditional: [Condition: Int] = [:]

    private struct PostImage: Hashable {
        let post: Int
        let reference: ImageReference
    }

    /// The number of an image of a post; `shape` is what the post's document says of it.
    mutating func number(of reference: ImageReference, post: Int, shape: Shape?) -> Int {
        let image = PostImage(post: post, reference: reference)
        if let number = imageNumbers[image] { return number }
        images.append(
            Image(
                reference: reference,
                post: post,
                key: number(ofKey: reference.cacheKey),
                hasGeneration: reference.generation != nil,
                headKey: reference.head.map { number(ofKey: $0.cacheKey) },
                expectedByteCount: reference.byteCount ?? 0,
                shape: shape ?? Shape()
            )
        )
        imageNumbers[image] = images.count - 1
        return images.count - 1
    }

    private mutating func number(ofKey text: String) -> Int {
        if let number = keyNumbers[text] { return number }
        let number = keys.count
        keys.append(
            Key(
                number: number,
                idInMemory: FNV1a64.hash(of: text.utf8),
                idOnDisk: FNV1a64.hash(of: CacheFileName.stem(of: text).utf8)
            )
        )
        keyTexts.append(text)
        keyNumbers[text] = number
        return number
    }

    /// A cache key as the client's caches have it.
    func text(ofKey key: Int) -> String { keyTexts[key] }

    /// The number of the result of asking for an image; `nil` where it is not known yet.
    func arrival(_ condition: Condition) -> Int? {
        condition.kind == .whole ? images[condition.image].whole : conditional[condition]
    }

    /// Notes the answer to asking for an image.
    mutating func note(_ exchange: FeedCatalog.Exchange, for condition: Condition) {
        let reference = images[condition.image].reference
        let freshness = Freshness(exchange.headers)
        let served = reference.servedKey(exchange.headers.servedGeneration)
        let isRest = condition.kind == .resumed && exchange.status == 206
        let arrival = Arrival(
            exchange: number(of: exchange),
            status: exchange.status,
            byteCount: exchange.byteCount + (isRest ? condition.headByteCount : 0),
            tag: number(ofTag: exchange.headers["ETag"] ?? ""),
            lifetime: freshness.freshUntil(from: 0),
            isStorable: freshness.isStorable,
            servedKey: served.map { number(ofKey: $0.key) },
            isLater: served?.isLater ?? false
        )
        arrivals.append(arrival)
        if condition.kind == .whole {
            images[condition.image].whole = arrivals.count - 1
        } else {
            conditional[condition] = arrivals.count - 1
        }
    }

    /// The question for an image's address; `nil` where it was not asked yet.
    func lookup(of image: Int) -> Int? { images[image].lookup }

    /// Notes the answer to the question for an image's address.
    mutating func note(lookup exchange: FeedCatalog.Exchange, of image: Int) {
        images[image].lookup = number(of: exchange)
    }

    /// The request of a number as a tape has it.
    func taped(_ exchange: Int) -> TapedRequest { TapedRequest(exchanges[exchange]) }

    private mutating func number(of exchange: FeedCatalog.Exchange) -> Int {
        exchanges.append(exchange)
        costs.append(ExchangeCost(exchange))
        return costs.count - 1
    }

    private mutating func number(ofTag tag: String) -> Int {
        if let number = tagNumbers[tag] { return number }
        tags.append(tag)
        tagNumbers[tag] = tags.count - 1
        return tags.count - 1
    }
}
