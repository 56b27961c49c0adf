// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// One user's app in a simulation: what it asks for at each step of the log.
struct SimulatedClient: Sendable {
    /// The pages of a list that the user has loaded, by their numbers from 0.
    private struct LoadedList {
        let listing: Int
        var pages: [Int: Int] = [:]
    }

    private let strategy: Strategy
    private let pageSize: Int
    private var pipeline: SimulatedPipeline
    private var lists: SimulatedLists
    private var loaded: [LoadedList] = []
    private var posts = KeyMarks()
    private var wanted: [Int] = []

    init(_ strategy: Strategy, pageSize: Int) {
        self.strategy = strategy
        self.pageSize = pageSize
        lists = SimulatedLists(strategy.listReading)
        pipeline = SimulatedPipeline(strategy)
    }

    /// Begins again as the app of another user; `now` is in microseconds since 1970.
    mutating func begin(at now: Int64) {
        lists = SimulatedLists(strategy.listReading)
        pipeline.begin(at: now)
        loaded.removeAll(keepingCapacity: true)
        posts.removeAll()
    }

    /// Takes a step of the log; `now` is in microseconds since 1970.
    mutating func perform(
        _ action: SessionView.Action,
        now: Int64,
        in feed: inout SimulatedFeed,
        into step: inout SimulatedStep
    ) async throws {
        step.clear()
        defer { lists.stepped(at: now) }
        switch action {
        case .openFeed(let listing, let page):
            try await show(page, of: listing, isAnew: true, at: now, in: &feed, into: &step)
        case .switchTab(let listing):
            try await show(0, of: listing, isAnew: true, at: now, in: &feed, into: &step)
        case .scroll(let listing, let page):
            try await show(page, of: listing, isAnew: false, at: now, in: &feed, into: &step)
        case .showPosts(let shown):
            if let list = shown.list { take(list, at: now, into: &step) }
            try await show(feed.posts(named: shown.posts), at: now, in: &feed, into: &step)
        case .openPost(let owner, let id):
            guard let post = feed.post(named: id), posts[post] != nil, feed.posts[post].owner == owner else {
                // Of a third-party log, posts without a known image are left out.
                if feed.isRecorded { return }
                throw FeedError.postNotLoaded(owner: owner, id: id)
            }
            guard strategy.opened != nil else { return }
            try await load(feed.posts[post].opened, at: now, in: &feed, into: &step)
        case .relaunch:
            loaded = []
            posts.removeAll()
            pipeline.removeMemory()
            lists.relaunched()
        }
    }

    private mutating func show(
        _ number: Int,
        of listing: SessionView.Listing,
        isAnew: Bool,
        at now: Int64,
        in feed: inout SimulatedFeed,
        into step: inout SimulatedStep
    ) async throws {
        let size = listing.pageSize ?? pageSize
        var whole = listing
        whole.pageSize = size
        let listingNumber = feed.number(of: whole)
        let list: Int
        if let known = loaded.firstIndex(where: { $0.listing == listingNumber }) {
            list = known
            if isAnew { loaded[list].pages.removeAll(keepingCapacity: true) }
        } else {
            guard isAnew else { throw FeedError.feedNotOpen("scroll on \(whole.name)") }
            list = loaded.count
            loaded.append(LoadedList(listing: listingNumber))
        }
        let page = try await feed.page(whole, number: number, size: size, after: loaded[list].pages[number - 1])
        loaded[list].pages[number] = page
        // The posts of a feed do not change within a session.
        let query = feed.pages[page].query
        step.take(lists.answer(.feed(listingNumber, number), whole: query, changes: nil, at: now))
        step.queriedPage = page
        try await show(feed.pages[page].posts, at: now, in: &feed, into: &step)
    }

    private mutating func take(_ list: SessionView.List, at now: Int64, into step: inout SimulatedStep) {
        // Cloud Storage has neither listeners nor a local cache, and the page's size is not in the log.
        let whole = list.isOfObjects ? list : list.read(inPagesOf: strategy.pageSize)
        let query = ExchangeCost(FeedCatalog.Exchange(whole))
        guard !list.isOfObjects, let key = list.key else {
            step.query = query
            return
        }
        let changes = whole.changes.flatMap { whole.part($0) }.map { ExchangeCost(FeedCatalog.Exchange($0)) }
        step.take(lists.answer(.recorded(key, list.page), whole: query, changes: changes, at: now))
    }

    /// Loads what a list shows of its posts.
    private mutating func show(
        _ listed: [Int],
        at now: Int64,
        in feed: inout SimulatedFeed,
        into step: inout SimulatedStep
    ) async throws {
        for post in listed { posts.insert(post) }
        wanted.removeAll(keepingCapacity: true)
        for post in listed { wanted += feed.posts[post].listed }
        try await load(wanted, at: now, in: &feed, into: &step)
        guard let byteCountMax = strategy.prefetchByteCountMax, strategy.opened != nil else { return }
        wanted.removeAll(keepingCapacity: true)
        for post in listed { wanted += feed.posts[post].opened }
        try await prefetch(wanted, byteCountMax: byteCountMax, at: now, in: &feed, into: &step)
    }

    private mutating func load(
        _ images: [Int],
        at now: Int64,
        in feed: inout SimulatedFeed,
        into step: inout SimulatedStep
    ) async throws {
        if strategy.looksUpURLs {
            for image in images {
                var lookup = feed.images.lookup(of: image)
                if lookup == nil { lookup = try await feed.lookUp(image) }
                guard let lookup else { continue }
                let byteCount = feed.images.costs[lookup].answerByteCount
                let exchange = SimulatedStep.Delivery.Exchange(number: lookup, answerByteCount: byteCount)
                step.lookups.append(SimulatedStep.Lookup(image: image, exchange: exchange))
            }
        }
        try await pipeline.load(images, of: &feed, now: now, into: &step.shown)
    }

    /// Loads what a budget allows, in order, but for what the caches hold, as `ImagePrefetcher` does.
    private mutating func prefetch(
        _ images: [Int],
        byteCountMax: Int,
        at now: Int64,
        in feed: inout SimulatedFeed,
        into step: inout SimulatedStep
    ) async throws {
        var seen: Set<Int> = []
        var affordable: [Int] = []
        var spent = 0
        for image in images where seen.insert(feed.images.images[image].key).inserted {
            guard !pipeline.holds(image, of: feed, now: now) else { continue }
            guard let byteCount = feed.images.images[image].reference.byteCount, byteCount >= 0 else {
                guard spent < byteCountMax else { continue }
                let start = step.prefetched.count
                try await pipeline.load([image], of: &feed, now: now, isPrefetch: true, into: &step.prefetched)
                for delivery in step.prefetched[start...] { spent += delivery.byteCount }
                continue
            }
            guard byteCount <= byteCountMax - spent else { continue }
            spent += byteCount
            affordable.append(image)
        }
        try await pipeline.load(affordable, of: &feed, now: now, isPrefetch: true, into: &step.prefetched)
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
