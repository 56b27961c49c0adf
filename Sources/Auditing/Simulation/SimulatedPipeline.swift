// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The image pipeline of FeedClient without images: what comes from which cache, and what must be loaded.
///
/// It shares the decisions of `ImagePipeline`, see `ImageDecisions`: all images of a batch are planned before any comes, and
/// the caches learn of them in the order in which they were asked for.
struct SimulatedPipeline: Sendable {
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

        fileprivate init(_ origin: ImageOrigin) {
            switch origin {
            case .memory: self = .memory
            case .disk: self = .disk
            case .network: self = .network
            case .revalidation: self = .revalidation
            }
        }
    }

    /// An image that was asked for.
    struct Delivery: Sendable {
        let reference: ImageReference
        let source: Source
        let byteCount: Int
        /// The cache key: of the generation that was served, not of the one that was asked for.
        let key: String
        /// The request that brought it, if one was made for it.
        let exchange: FeedCatalog.Exchange?

        init(
            _ reference: ImageReference,
            source: Source,
            byteCount: Int,
            key: String,
            exchange: FeedCatalog.Exchange?
        ) {
            self.reference = reference
            self.source = source
            self.byteCount = byteCount
            self.key = key
            self.exchange = exchange
        }
    }

    /// An image on its way.
    struct Load {
        let key: String
        let origin: ImageOrigin
        var image: SimulatedImage
        let exchange: FeedCatalog.Exchange?
        /// The cache key of the image.
        var filedAs: String
        /// Whether the server lets it be kept at all.
        var isStorable = true
        var isStored = false
    }

    private enum Plan {
        case found(SimulatedImage, key: String)
        case load(Int, isFirst: Bool)
        case failure(FailedImage)
    }

    let catalog: FeedCatalog
    private let decisions: ImageDecisions
    private var memory: MemoryCache<SimulatedImage>?
    var disk: SimulatedDisk?
    var keys = CacheKeys()

    init(_ strategy: Strategy, catalog: FeedCatalog, now: Int64) {
        self.catalog = catalog
        decisions = ImageDecisions(joinsRequests: strategy.joinsRequests, staleness: .revalidate)
        memory = strategy.memory.map { MemoryCache(byteCountMax: $0.byteCountMax, policy: $0.policy) }
        disk = strategy.disk.map { SimulatedDisk($0, now: now) }
    }

    /// Forgets what is in memory.
    mutating func removeMemory() { memory?.removeAll() }

    /// Whether an image can be had without the network.
    func holds(_ reference: ImageReference, now: Int64) -> Bool {
        let key = key(of: reference)
        return memory?.peek(key) != nil || disk?.holds(key, now: now) == true
    }

    /// The key of an image, as far as it is known before the image is asked for.
    func key(of reference: ImageReference) -> String { keys.key(of: reference) }

    /// Asks for a batch of images and waits for all of them; throws ``FailedImage`` when one cannot be had that is not
    /// loaded beforehand.
    mutating func load(
        _ references: [ImageReference],
        now: Int64,
        isPrefetch: Bool = false
    ) async throws -> [Delivery] {
        var loads: [Load] = []
        var plans: [Plan] = []
        for reference in references {
            do {
                plans.append(try await plan(reference, into: &loads, at: now))
            } catch let failure as FailedImage where isPrefetch {
                plans.append(.failure(failure))
            }
        }
        var deliveries: [Delivery] = []
        for (reference, plan) in zip(references, plans) {
            switch plan {
            case .found(let image, let key):
                memory?.touch(key)
                deliveries.append(
                    Delivery(reference, source: .memory, byteCount: image.byteCount, key: key, exchange: nil)
                )
            case .failure(let failure):
                deliveries.append(
                    Delivery(
                        reference,
                        source: .failed,
                        byteCount: 0,
                        key: key(of: reference),
                        exchange: failure.exchange
                    )
                )
            case .load(let index, let isFirst):
                store(&loads[index], at: now)
                let load = loads[index]
                // A request that waits for another's read from disk counts as a disk hit, too.
                let source = isFirst || load.origin == .disk ? Source(load.origin) : .joined
                let exchange = isFirst ? load.exchange : nil
                deliveries.append(
                    Delivery(
                        reference,
                        source: source,
                        byteCount: load.image.byteCount,
                        key: load.filedAs,
                        exchange: exchange
                    )
                )
            }
        }
        return deliveries
    }

    private mutating func plan(
        _ reference: ImageReference,
        into loads: inout [Load],
        at now: Int64
    ) async throws -> Plan {
        let key = key(of: reference)
        let inMemory = memory?.peek(key)
        let inFlight = loads.firstIndex { $0.key == key }
        switch decisions.step(for: reference, inMemory: inMemory, isInFlight: inFlight != nil, now: now) {
        case .show(let image, _): return .found(image, key: key)
        case .join: if let inFlight { return .load(inFlight, isFirst: false) }
        case .readDisk, .load: break
        }
        let onDisk = disk?.image(key, now: now)
        switch decisions.step(for: reference, onDisk: onDisk, staleInMemory: inMemory, now: now) {
        case .show(let image, _):
            loads.append(Load(key: key, origin: .disk, image: image, exchange: nil, filedAs: key))
        case .load(let known):
            let head = known == nil ? head(of: reference, at: now) : nil
            loads.append(try await request(reference, key: key, known: known, head: head, at: now))
        case .join, .readDisk: preconditionFailure("the disk is read once, and after the loads in flight")
        }
        return .load(loads.count - 1, isFirst: true)
    }

    /// Puts an image into the caches, or notes that it was asked for once more.
    private mutating func store(_ load: inout Load, at now: Int64) {
        guard load.isStorable else { return }
        let isInMemory = memory?.peek(load.filedAs) != nil
        switch ImageDecisions.keepingInMemory(wasStored: load.isStored, isInMemory: isInMemory) {
        case .touch: memory?.touch(load.filedAs)
        case .store: memory?.store(load.image, for: load.filedAs, byteCount: load.image.byteCount)
        }
        guard !load.isStored else { return }
        load.isStored = true
        let isOnDisk = disk?.holds(load.filedAs, now: now) == true
        switch ImageDecisions.keepingOnDisk(load.origin, isOnDisk: isOnDisk) {
        case .touch: disk?.touch(load.filedAs, now: now)
        case .store: disk?.store(load.image, key: load.filedAs, now: now)
        }
    }

    /// The beginning of an image, if a cache has it.
    private mutating func head(of reference: ImageReference, at now: Int64) -> SimulatedImage? {
        guard let key = reference.head.map(key), let image = memory?.peek(key) ?? disk?.image(key, now: now),
            reference.isGoneOn(afterByteCount: image.byteCount, entityTag: image.entityTag)
        else { return nil }
        return image
    }
}
