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

    /// The documents' description of an image.
    private struct Facts {
        let owner: String
        let post: String
        let pixelWidth: Int
        /// Whether it is a smaller copy, which only a list shows.
        var isCopy = false
    }

    /// The bytes of an image that were downloaded for the first time, and where.
    private struct Download {
        let reference: ImageReference
        let byteCount: Int
        let place: CauseTally.Place
    }

    private let display: DisplaySizes
    private let variant: ResizedVariant?
    private let opened: Set<PostOfUser>
    private var facts: [String: Facts] = [:]
    private var loaded: Set<ImageOfUser> = []
    /// The prefetched images.
    private var waiting: [ImageOfUser: Download] = [:]
    private var tally = CauseTally()

    /// Creates an attribution for the users of a log, whose lists load a variant.
    init(of log: SessionLog, display: DisplaySizes, variant: ResizedVariant?) {
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
        let place = CauseTally.Place(page: view.action.page, screen: view.action.screen ?? view.action.page)
        for post in step.posts {
            for (image, reference) in zip(post.images, post.references(to: .full, in: "")) {
                facts[reference.subject] = Facts(owner: post.ownerID, post: post.id, pixelWidth: image.pixelWidth)
                guard let variant else { continue }
                let width = variant.fittedWidth(pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight)
                let copy = reference.resized(to: variant).subject
                facts[copy] = Facts(owner: post.ownerID, post: post.id, pixelWidth: width, isCopy: true)
            }
        }
        for answer in [step.query, step.changes].compactMap(\.self) {
            tally.add(answer.byteCount, cause: .documents, object: nil, at: place)
        }
        for lookup in step.lookups {
            tally.add(lookup.exchange.byteCount, cause: .lookups, object: lookup.reference.subject, at: place)
        }
        for delivery in step.shown { add(delivery, client: view.client, at: place, isPrefetch: false) }
        for delivery in step.prefetched { add(delivery, client: view.client, at: place, isPrefetch: true) }
    }

    /// The tally of all that was added, none of which is awaited any more.
    func finished() -> CauseTally {
        var tally = tally
        for waiting in waiting.values {
            tally.add(
                waiting.byteCount,
                cause: .prefetchedUnused,
                object: waiting.reference.subject,
                at: waiting.place
            )
        }
        return tally
    }

    private mutating func add(
        _ delivery: SimulatedPipeline.Delivery,
        client: String,
        at place: CauseTally.Place,
        isPrefetch: Bool
    ) {
        let image = ImageOfUser(client: client, key: delivery.key)
        // It may come from where it was put beforehand.
        if !isPrefetch, delivery.source != .network, let waiting = waiting.removeValue(forKey: image) {
            addShown(waiting, client: client)
        }
        guard let exchange = delivery.exchange else { return }
        let subject = delivery.reference.subject
        guard delivery.source != .failed else {
            return tally.add(exchange.byteCount, cause: .failed, object: subject, at: place)
        }
        if delivery.source == .network, let lost = waiting.removeValue(forKey: image) {
            tally.add(lost.byteCount, cause: .prefetchedUnused, object: subject, at: lost.place)
        }
        let isFirst = loaded.insert(image).inserted
        if exchange.request.headers["If-None-Match"] != nil {
            tally.add(exchange.byteCount, cause: .revalidated, object: subject, at: place)
        } else if !isFirst {
            tally.add(exchange.byteCount, cause: .again, object: subject, at: place)
        } else {
            let repeated = repeatedByteCount(of: delivery.reference, exchange: exchange, client: client)
            if repeated > 0 { tally.add(repeated, cause: .again, object: subject, at: place) }
            let download = Download(
                reference: delivery.reference,
                byteCount: exchange.byteCount - repeated,
                place: place
            )
            if isPrefetch { waiting[image] = download } else { addShown(download, client: client) }
        }
    }

    /// The bytes of a whole image whose first bytes the user had loaded before.
    private func repeatedByteCount(
        of reference: ImageReference,
        exchange: FeedCatalog.Exchange,
        client: String
    ) -> Int {
        guard let head = reference.head, exchange.status == 200,
            loaded.contains(ImageOfUser(client: client, key: head.cacheKey))
        else { return 0 }
        return min(head.byteCount ?? 0, exchange.byteCount)
    }

    /// Adds what had not been loaded before, and was shown.
    private mutating func addShown(_ download: Download, client: String) {
        let (subject, byteCount, place) = (download.reference.subject, download.byteCount, download.place)
        let facts = facts[subject]
        let isOpened = facts.map { opened.contains(PostOfUser(client: client, owner: $0.owner, post: $0.post)) } ?? true
        guard isOpened || download.reference.role == .thumbnail else {
            return tally.add(byteCount, cause: .overFetched, object: subject, at: place)
        }
        // The first bytes of a progressive image have no more pixels than they show.
        let pixelWidth = download.reference.prefixByteCount == nil ? facts?.pixelWidth ?? 0 : 0
        tally.addShown(
            byteCount,
            pixelWidth: pixelWidth,
            isInList: !isOpened || facts?.isCopy == true,
            on: display,
            object: subject,
            at: place
        )
    }
}
