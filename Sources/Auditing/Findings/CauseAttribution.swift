// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// Gives every byte that a simulation downloads its cause, user by user.
///
/// Whether an image was needed is known at the end of a user's views only: the post may be opened later, or what was loaded
/// beforehand be asked for.
struct CauseAttribution: Sendable {
    /// A post by the names that views have for it.
    struct PostName: Hashable {
        let owner: String
        let id: String
    }

    /// The bytes of an image that were downloaded for the first time, and where.
    private struct Download {
        let image: Int
        let byteCount: Int
        let place: PlaceTable.Place
    }

    private let display: DisplaySizes
    /// The posts that the user opens.
    private var opened: Set<PostName> = []
    /// The keys of images that the user has loaded.
    private var loaded = KeyMarks()
    /// The prefetched images, by their keys.
    private var waiting: [Int: Download] = [:]
    private var amounts = CauseAmounts()

    /// Creates an attribution for users with screens of a size.
    init(display: DisplaySizes) { self.display = display }

    /// Begins with a user's views.
    mutating func begin(opening posts: Set<PostName>) {
        opened = posts
        loaded.removeAll()
    }

    /// Takes in what a step of the user downloaded for a place.
    mutating func add(_ step: SimulatedStep, at place: PlaceTable.Place, in feed: SimulatedFeed) {
        if let query = step.query { amounts.add(query.byteCount, cause: .documents, object: nil, at: place) }
        if let changes = step.changes { amounts.add(changes.byteCount, cause: .documents, object: nil, at: place) }
        for lookup in step.lookups {
            let byteCount = feed.images.costs[lookup.exchange.number].byteCount
            amounts.add(byteCount, cause: .lookups, object: lookup.image, at: place)
        }
        for delivery in step.shown { add(delivery, at: place, in: feed, isPrefetch: false) }
        for delivery in step.prefetched { add(delivery, at: place, in: feed, isPrefetch: true) }
    }

    /// Ends with a user's views: nothing is awaited any more.
    mutating func end() {
        for waiting in waiting.values {
            amounts.add(waiting.byteCount, cause: .prefetchedUnused, object: waiting.image, at: waiting.place)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Moves all that was added into a tally of names.
    mutating func move(to tally: inout CauseTally, places: PlaceTable, images: ImageTable) {
        amounts.add(to: &tally, places: places, images: images)
        amounts = CauseAmounts()
    }

    private mutating func add(
        _ delivery: SimulatedStep.Delivery,
        at place: PlaceTable.Place,
        in feed: SimulatedFeed,
        isPrefetch: Bool
    ) {
        // It may come from where it was put beforehand.
        if !isPrefetch, delivery.source != .network, !waiting.isEmpty,
            let waiting = waiting.removeValue(forKey: delivery.key)
        {
            addShown(waiting, in: feed)
        }
        guard let exchange = delivery.exchange else { return }
        let (image, cost) = (delivery.image, feed.images.costs[exchange.number])
        guard delivery.source != .failed else {
            return amounts.add(cost.byteCount, cause: .failed, object: image, at: place)
        }
        if delivery.source == .network, !waiting.isEmpty, let lost = waiting.removeValue(forKey: delivery.key) {
            amounts.add(lost.byteCount, cause: .prefetchedUnused, object: image, at: lost.place)
        }
        let isFirst = loaded.insert(delivery.key)
        if cost.isConditional {
            amounts.add(cost.byteCount, cause: .revalidated, object: image, at: place)
        } else if !isFirst {
            amounts.add(cost.byteCount, cause: .again, object: image, at: place)
        } else {
            let repeated = repeatedByteCount(of: image, cost: cost, in: feed)
            if repeated > 0 { amounts.add(repeated, cause: .again, object: image, at: place) }
            let download = Download(image: image, byteCount: cost.byteCount - repeated, place: place)
            if isPrefetch { waiting[delivery.key] = download } else { addShown(download, in: feed) }
        }
    }

    /// The bytes of a whole image whose first bytes the user had loaded before.
    private func repeatedByteCount(of image: Int, cost: ExchangeCost, in feed: SimulatedFeed) -> Int {
        guard let headKey = feed.images.images[image].headKey, cost.status == 200, loaded[headKey] != nil else {
            return 0
        }
        return min(feed.images.images[image].reference.headByteCount ?? 0, cost.byteCount)
    }

    /// Adds what had not been loaded before, and was shown.
    private mutating func addShown(_ download: Download, in feed: SimulatedFeed) {
        let (byteCount, place) = (download.byteCount, download.place)
        let image = feed.images.images[download.image]
        let post = feed.posts[image.post]
        let isOpened = !opened.isEmpty && opened.contains(PostName(owner: post.owner, id: post.id))
        guard isOpened || image.reference.role == .thumbnail else {
            return amounts.add(byteCount, cause: .overFetched, object: download.image, at: place)
        }
        // The first bytes of a progressive image have no more pixels than they show.
        let needed = display.neededByteCount(
            of: byteCount,
            pixelWidth: image.reference.prefixByteCount == nil ? image.shape.pixelWidth : 0,
            isInList: !isOpened || image.shape.isCopy
        )
        amounts.add(needed, cause: .needed, object: download.image, at: place)
        guard needed < byteCount else { return }
        amounts.add(byteCount - needed, cause: .oversized, object: download.image, at: place)
    }
}
