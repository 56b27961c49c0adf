// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The image pipeline of FeedClient without images: what comes from which cache, and what must be loaded.
///
/// It decides as `ImagePipeline` does: all images of a batch are planned before any comes, and the caches learn of them in
/// the order in which they were asked for.
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
        /// Nowhere: it could not be loaded beforehand, which nobody is told.
        case failed
    }

    /// An image that was asked for.
    struct Delivery: Sendable {
        let reference: ImageReference
        let source: Source
        let byteCount: Int
        /// What the caches file the image under: the generation that was served, not the one that was asked for.
        let key: String
        /// The request that brought it, if one was made for it.
        let exchange: FeedCatalog.Exchange?

        init(
            _ reference: ImageReference,
            _ source: Source,
            _ byteCount: Int,
            _ key: String,
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
        let source: Source
        var image: SimulatedImage
        let exchange: FeedCatalog.Exchange?
        /// What the caches file the image under.
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
    private let joinsRequests: Bool
    private var memory: MemoryCache<SimulatedImage>?
    var disk: SimulatedDisk?
    /// What generations that documents tell of were found to have been replaced by.
    var successors: [String: String] = [:]

    init(_ strategy: Strategy, catalog: FeedCatalog, now: Int64) {
        self.catalog = catalog
        joinsRequests = strategy.joinsRequests
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

    /// What the caches file an image under, as far as is known before it is asked for.
    func key(of reference: ImageReference) -> String { successors[reference.cacheKey] ?? reference.cacheKey }

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
                plans.append(try await plan(reference, &loads, now))
            } catch let failure as FailedImage where isPrefetch {
                plans.append(.failure(failure))
            }
        }
        var deliveries: [Delivery] = []
        for (reference, plan) in zip(references, plans) {
            switch plan {
            case .found(let image, let key):
                memory?.touch(key)
                deliveries.append(Delivery(reference, .memory, image.byteCount, key, exchange: nil))
            case .failure(let failure):
                deliveries.append(
                    Delivery(reference, .failed, 0, key(of: reference), exchange: failure.exchange)
                )
            case .load(let index, let isFirst):
                store(&loads[index], now)
                let load = loads[index]
                // Whoever waits for what another reads from disk has it from there, too.
                let source = isFirst || load.source == .disk ? load.source : .joined
                let exchange = isFirst ? load.exchange : nil
                deliveries.append(Delivery(reference, source, load.image.byteCount, load.filedAs, exchange: exchange))
            }
        }
        return deliveries
    }

    private mutating func plan(_ reference: ImageReference, _ loads: inout [Load], _ now: Int64) async throws -> Plan {
        let key = key(of: reference)
        let inMemory = memory?.peek(key)
        if let inMemory, isFresh(inMemory, reference, now) { return .found(inMemory, key: key) }
        if joinsRequests, let index = loads.firstIndex(where: { $0.key == key }) { return .load(index, isFirst: false) }
        let onDisk = disk?.image(key, now: now)
        if let onDisk, isFresh(onDisk, reference, now) {
            loads.append(Load(key: key, source: .disk, image: onDisk, exchange: nil, filedAs: key))
        } else {
            let known = onDisk ?? inMemory
            let head = known == nil ? head(of: reference, now) : nil
            loads.append(try await request(reference, key, known: known, head: head, now))
        }
        return .load(loads.count - 1, isFirst: true)
    }

    /// Puts an image into the caches, or notes that it was asked for once more.
    private mutating func store(_ load: inout Load, _ now: Int64) {
        guard load.isStorable else { return }
        if load.isStored, memory?.peek(load.filedAs) != nil {
            memory?.touch(load.filedAs)
        } else {
            memory?.store(load.image, for: load.filedAs, byteCount: load.image.byteCount)
        }
        guard !load.isStored else { return }
        load.isStored = true
        switch load.source {
        case .disk: disk?.touch(load.filedAs, now: now)
        case .revalidation where disk?.holds(load.filedAs, now: now) == true: disk?.touch(load.filedAs, now: now)
        case .memory, .joined, .failed, .network, .revalidation: disk?.store(load.image, load.filedAs, now: now)
        }
    }

    /// The beginning of an image, if a cache has it.
    private mutating func head(of reference: ImageReference, _ now: Int64) -> SimulatedImage? {
        guard let key = reference.head.map(key), let image = memory?.peek(key) ?? disk?.image(key, now: now),
            reference.isGoneOn(afterByteCount: image.byteCount, entityTag: image.entityTag)
        else { return nil }
        return image
    }

    private func isFresh(_ image: SimulatedImage, _ reference: ImageReference, _ now: Int64) -> Bool {
        reference.generation != nil || image.freshUntil > now
    }
}
