// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import SessionLog

/// Gives every byte that a simulation downloads its cause.
///
/// Whether an image was needed is known at the end only: a user may open its post later, or ask for what was loaded
/// beforehand.
struct CauseAttribution: Sendable {
    /// An image of one user.
    private struct ImageOfUser: Hashable {
        let client: String
        let key: String
    }

    private struct PostOfUser: Hashable {
        let client: String
        let owner: String
        let post: String
    }

    /// What the documents tell of an image.
    private struct Facts {
        let owner: String
        let post: String
        let pixelWidth: Int
        /// Whether it is a smaller copy, which only a list shows.
        var isCopy = false
    }

    /// An image that was loaded beforehand.
    private struct Waiting {
        let delivery: SimulatedPipeline.Delivery
        let screen: String
    }

    private let display: DisplaySizes
    private let variant: ResizedVariant?
    private let opened: Set<PostOfUser>
    private var facts: [String: Facts] = [:]
    private var loaded: Set<ImageOfUser> = []
    private var waiting: [ImageOfUser: Waiting] = [:]
    private var tally = CauseTally()

    /// Creates an attribution for the users of a log, whose lists load a variant.
    init(of log: SessionLog, _ display: DisplaySizes, _ variant: ResizedVariant?) {
        self.display = display
        self.variant = variant
        opened = Set(
            log.views.compactMap { view in
                guard case .openPost(let owner, let post) = view.action else { return nil }
                return PostOfUser(client: view.client, owner: owner, post: post)
            }
        )
    }

    /// Takes in what a step downloaded.
    mutating func add(_ step: SimulatedClient.Step, of view: SessionView) {
        let screen = view.action.screen
        for post in step.posts {
            for (image, reference) in zip(post.images, post.references(to: .full, in: "")) {
                facts[reference.subject] = Facts(owner: post.ownerID, post: post.id, pixelWidth: image.pixelWidth)
                guard let variant else { continue }
                let width = variant.fittedWidth(pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight)
                let copy = reference.resized(to: variant).subject
                facts[copy] = Facts(owner: post.ownerID, post: post.id, pixelWidth: width, isCopy: true)
            }
        }
        if let query = step.query { tally.add(query.byteCount, .documents, object: nil, screen: screen) }
        for lookup in step.lookups {
            tally.add(lookup.exchange.byteCount, .lookups, object: lookup.reference.subject, screen: screen)
        }
        for delivery in step.shown { add(delivery, view.client, screen, isPrefetch: false) }
        for delivery in step.prefetched { add(delivery, view.client, screen, isPrefetch: true) }
    }

    /// The tally of all that was added, none of which is awaited any more.
    func finished() -> CauseTally {
        var tally = tally
        for waiting in waiting.values {
            tally.add(
                waiting.delivery.byteCount,
                .prefetchedUnused,
                object: waiting.delivery.reference.subject,
                screen: waiting.screen
            )
        }
        return tally
    }

    private mutating func add(
        _ delivery: SimulatedPipeline.Delivery,
        _ client: String,
        _ screen: String,
        isPrefetch: Bool
    ) {
        let image = ImageOfUser(client: client, key: delivery.key)
        // It may come from where it was put beforehand.
        if !isPrefetch, delivery.source != .network, let waiting = waiting.removeValue(forKey: image) {
            addShown(waiting.delivery, client, waiting.screen)
        }
        guard let exchange = delivery.exchange else { return }
        let subject = delivery.reference.subject
        guard delivery.source != .failed else {
            return tally.add(exchange.byteCount, .failed, object: subject, screen: screen)
        }
        if delivery.source == .network, let lost = waiting.removeValue(forKey: image) {
            tally.add(lost.delivery.byteCount, .prefetchedUnused, object: subject, screen: lost.screen)
        }
        let isFirst = loaded.insert(image).inserted
        if exchange.request.headers["If-None-Match"] != nil {
            tally.add(exchange.byteCount, .revalidated, object: subject, screen: screen)
        } else if !isFirst {
            tally.add(exchange.byteCount, .again, object: subject, screen: screen)
        } else if isPrefetch {
            waiting[image] = Waiting(delivery: delivery, screen: screen)
        } else {
            addShown(delivery, client, screen)
        }
    }

    /// Adds an image that had not been loaded before.
    private mutating func addShown(_ delivery: SimulatedPipeline.Delivery, _ client: String, _ screen: String) {
        let (subject, byteCount) = (delivery.reference.subject, delivery.byteCount)
        let facts = facts[subject]
        let isOpened = facts.map { opened.contains(PostOfUser(client: client, owner: $0.owner, post: $0.post)) } ?? true
        guard isOpened || delivery.reference.role == .thumbnail else {
            return tally.add(byteCount, .overFetched, object: subject, screen: screen)
        }
        let needed = display.neededByteCount(
            of: byteCount,
            pixelWidth: facts?.pixelWidth ?? 0,
            isInList: !isOpened || facts?.isCopy == true
        )
        tally.add(needed, .needed, object: subject, screen: screen)
        if needed < byteCount { tally.add(byteCount - needed, .oversized, object: subject, screen: screen) }
    }
}

extension SessionView.Action {
    /// The screen that a step shows, as reports name it: `scroll popular, page 2`.
    var screen: String {
        switch self {
        case .openFeed(let listing, let page), .scroll(let listing, let page):
            "\(kind.rawValue) \(listing.name), page \(page)"
        case .switchTab(let listing): "\(kind.rawValue) \(listing.name)"
        case .openPost, .relaunch, .showPosts: kind.rawValue
        }
    }
}
