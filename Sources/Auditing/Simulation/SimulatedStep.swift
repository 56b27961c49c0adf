// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The requests and images that a step of the log leads to in a user's app.
struct SimulatedStep: Sendable {
    /// Where an image came from.
    enum Source: Sendable, Hashable {
        case memory
        case disk
        case network
        /// A cache; its server said that it has no other.
        case revalidation
        /// Another request of the same batch.
        case joined
        /// Nowhere: it could not be loaded beforehand, which is not reported.
        case failed

        init(_ origin: ImageOrigin) {
            switch origin {
            case .memory: self = .memory
            case .disk: self = .disk
            case .network: self = .network
            case .revalidation: self = .revalidation
            }
        }
    }

    /// An image that was asked for; numbers are those of the ``ImageTable``.
    struct Delivery: Sendable {
        /// A request that was made for an image.
        struct Exchange: Sendable {
            let number: Int
            /// The bytes of the answer with its head.
            let answerByteCount: Int
        }

        let image: Int
        /// The cache key: of the generation that was served, not of the one that was asked for.
        let key: Int
        let source: Source
        let byteCount: Int
        /// The bytes that the client reckons with before the image comes.
        var expectedByteCount = 0
        /// The request that brought it, if one was made for it.
        var exchange: Exchange?
    }

    /// A question for an image's address.
    struct Lookup: Sendable {
        let image: Int
        let exchange: Delivery.Exchange
    }

    /// The query of a list's page; `nil` when none was made.
    var query: ExchangeCost?
    /// The changes that a listener brought to a list that is shown without waiting; `nil` when nothing has changed.
    var changes: ExchangeCost?
    /// The page whose query was made; `nil` for a list that is taken from the log as it was.
    var queriedPage: Int?
    /// Whether a list is shown whose documents the app has.
    var isListKnown = false
    /// The questions for images' addresses.
    var lookups: [Lookup] = []
    /// The images that were shown.
    var shown: [Delivery] = []
    /// The images that were loaded beforehand.
    var prefetched: [Delivery] = []

    /// Hands out the images that were shown or loaded beforehand.
    func forEachDelivery(_ body: (Delivery) -> Void) {
        for delivery in shown { body(delivery) }
        for delivery in prefetched { body(delivery) }
    }

    /// Hands out the costs of all requests.
    func forEachCost(in table: ImageTable, _ body: (ExchangeCost) -> Void) {
        if let query { body(query) }
        if let changes { body(changes) }
        forEachObjectCost(in: table, body)
    }

    /// Hands out the costs of the requests for images and their addresses.
    func forEachObjectCost(in table: ImageTable, _ body: (ExchangeCost) -> Void) {
        for lookup in lookups { body(table.costs[lookup.exchange.number]) }
        forEachDelivery { delivery in
            if let exchange = delivery.exchange { body(table.costs[exchange.number]) }
        }
    }

    /// Makes room for another step.
    mutating func clear() {
        (query, changes, queriedPage, isListKnown) = (nil, nil, nil, false)
        lookups.removeAll(keepingCapacity: true)
        shown.removeAll(keepingCapacity: true)
        prefetched.removeAll(keepingCapacity: true)
    }

    /// Takes in how a list was answered.
    mutating func take(_ answer: SimulatedLists.Answer) {
        (query, changes) = (answer.awaited, answer.changes)
        isListKnown = answer.awaited == nil
    }
}
