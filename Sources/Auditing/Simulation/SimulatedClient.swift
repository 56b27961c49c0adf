// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// One user's app in a simulation: what it asks for at each step of the log.
struct SimulatedClient: Sendable {
    /// The result of a step.
    struct Step: Sendable {
        /// The query of a list's page; `nil` when none was made.
        var query: FeedCatalog.Exchange?
        /// The changes that a listener brought to a list that is shown without waiting; `nil` when nothing has changed.
        var changes: FeedCatalog.Exchange?
        /// Whether a list is shown whose documents the app has.
        var isListKnown = false
        /// The posts that the query brought.
        var posts: [FeedPost] = []
        /// The questions for images' addresses.
        var lookups: [Lookup] = []
        /// The images that were shown.
        var shown: [SimulatedPipeline.Delivery] = []
        /// The images that were loaded beforehand.
        var prefetched: [SimulatedPipeline.Delivery] = []
    }

    /// A question for an image's address.
    struct Lookup: Sendable {
        let reference: ImageReference
        let exchange: FeedCatalog.Exchange
    }

    private let strategy: Strategy
    private let catalog: FeedCatalog
    private let pageSize: Int
    private var pipeline: SimulatedPipeline
    private var lists: SimulatedLists
    private var cursors: [SessionView.Listing: [Int: FeedCursor]] = [:]
    private var posts: [String: FeedPost] = [:]

    init(_ strategy: Strategy, catalog: FeedCatalog, pageSize: Int, now: Int64) {
        self.strategy = strategy
        self.catalog = catalog
        self.pageSize = pageSize
        lists = SimulatedLists(strategy.listReading)
        pipeline = SimulatedPipeline(strategy, catalog: catalog, now: now)
    }

    /// Takes a step of the log; `now` is in microseconds since 1970.
    mutating func perform(_ action: SessionView.Action, now: Int64) async throws -> Step {
        defer { lists.stepped(at: now) }
        switch action {
        case .openFeed(let listing, let page): return try await show(page, of: listing, isAnew: true, at: now)
        case .switchTab(let listing): return try await show(0, of: listing, isAnew: true, at: now)
        case .scroll(let listing, let page): return try await show(page, of: listing, isAnew: false, at: now)
        case .showPosts(let shown):
            let step = shown.list.map { list($0, at: now) } ?? Step()
            return try await show(catalog.posts(named: shown.posts), into: step, at: now)
        case .openPost(let owner, let id):
            guard let post = posts[id], post.ownerID == owner else {
                // Of a third-party log, posts without a known image are left out.
                if catalog.isRecorded { return Step() }
                throw FeedError.postNotLoaded(owner: owner, id: id)
            }
            var step = Step()
            if let opened = strategy.opened { try await load(references(to: opened, of: [post]), into: &step, at: now) }
            return step
        case .relaunch:
            cursors = [:]
            posts = [:]
            pipeline.removeMemory()
            lists.relaunched()
            return Step()
        }
    }

    private mutating func show(
        _ number: Int,
        of listing: SessionView.Listing,
        isAnew: Bool,
        at now: Int64
    ) async throws -> Step {
        var whole = listing
        whole.pageSize = listing.pageSize ?? pageSize
        guard isAnew || cursors[whole] != nil else { throw FeedError.feedNotOpen("scroll on \(whole.name)") }
        if isAnew { cursors[whole] = [:] }
        let (page, exchange) = try await catalog.page(
            whole,
            number: number,
            size: whole.pageSize ?? pageSize,
            after: cursors[whole]?[number - 1]
        )
        cursors[whole]?[number] = page.cursor
        // The posts of a feed do not change within a session.
        let answer = lists.answer(.feed(whole, number), whole: exchange, changes: nil, at: now)
        return try await show(page.posts, into: Step(answer), at: now)
    }

    private mutating func list(_ list: SessionView.List, at now: Int64) -> Step {
        // Cloud Storage has neither listeners nor a local cache, and the page's size is not in the log.
        guard !list.isOfObjects else { return Step(query: FeedCatalog.Exchange(list)) }
        let whole = list.read(inPagesOf: strategy.pageSize)
        guard let key = list.key else { return Step(query: FeedCatalog.Exchange(whole)) }
        let changes = whole.changes.flatMap { whole.part($0) }.map(FeedCatalog.Exchange.init)
        return Step(
            lists.answer(.recorded(key, list.page), whole: FeedCatalog.Exchange(whole), changes: changes, at: now)
        )
    }

    /// Loads what a list shows of its posts.
    private mutating func show(_ listed: [FeedPost], into step: Step, at now: Int64) async throws -> Step {
        for post in listed { posts[post.id] = post }
        var step = step
        step.posts = listed
        try await load(references(to: strategy.mode.listed, of: listed), into: &step, at: now)
        if let opened = strategy.opened, let byteCountMax = strategy.prefetchByteCountMax {
            try await prefetch(references(to: opened, of: listed), byteCountMax: byteCountMax, into: &step, at: now)
        }
        return step
    }

    private func references(to set: ImageSet, of posts: [FeedPost]) -> [ImageReference] {
        strategy.references(to: set, of: posts, in: catalog.endpoint.bucket)
    }

    private mutating func load(
        _ references: [ImageReference],
        into step: inout Step,
        at now: Int64
    ) async throws {
        if strategy.looksUpURLs {
            for reference in references {
                guard let request = reference.metadataRequest(storage: catalog.endpoint.storage) else { continue }
                step.lookups.append(Lookup(reference: reference, exchange: try await catalog.exchange(request)))
            }
        }
        step.shown = try await pipeline.load(references, now: now)
    }

    /// Loads what a budget allows, in order, but for what the caches hold, as `ImagePrefetcher` does.
    private mutating func prefetch(
        _ references: [ImageReference],
        byteCountMax: Int,
        into step: inout Step,
        at now: Int64
    ) async throws {
        var seen: Set<String> = []
        var affordable: [ImageReference] = []
        var spent = 0
        for reference in references where seen.insert(reference.cacheKey).inserted {
            guard !pipeline.holds(reference, now: now) else { continue }
            guard let byteCount = reference.byteCount, byteCount >= 0 else {
                guard spent < byteCountMax else { continue }
                let deliveries = try await pipeline.load([reference], now: now, isPrefetch: true)
                spent += deliveries.reduce(0) { $0 + $1.byteCount }
                step.prefetched += deliveries
                continue
            }
            guard byteCount <= byteCountMax - spent else { continue }
            spent += byteCount
            affordable.append(reference)
        }
        step.prefetched += try await pipeline.load(affordable, now: now, isPrefetch: true)
    }
}

extension SimulatedClient.Step {
    /// All requests, in their order.
    var exchanges: [FeedCatalog.Exchange] {
        [query, changes].compactMap(\.self) + lookups.map(\.exchange) + (shown + prefetched).compactMap(\.exchange)
    }

    fileprivate init(_ answer: SimulatedLists.Answer) {
        (query, changes) = (answer.awaited, answer.changes)
        isListKnown = answer.awaited == nil
    }
}

extension Strategy {
    /// The images to load when a post is opened; `nil` where the list has loaded it all.
    var opened: ImageSet? { mode.opened(thumbnails) }

    /// The images requested of posts, in order.
    func references(to set: ImageSet, of posts: [FeedPost], in bucket: String) -> [ImageReference] {
        posts.flatMap { $0.references(to: set, in: bucket, thumbnails: thumbnails) }.map(reference)
    }

    /// The reference to an image that this way of loading makes of its document's.
    @Sendable func reference(_ reference: ImageReference) -> ImageReference {
        revalidates ? reference.withoutGeneration : reference
    }
}
