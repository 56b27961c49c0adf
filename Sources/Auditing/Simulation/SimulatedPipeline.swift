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
    }

    /// An image that was asked for.
    struct Delivery: Sendable {
        let reference: ImageReference
        let source: Source
        let byteCount: Int
        /// The request that brought it, if one was made for it.
        let exchange: FeedCatalog.Exchange?
    }

    /// An image on its way.
    private struct Load {
        let key: String
        let source: Source
        var image: SimulatedImage
        let exchange: FeedCatalog.Exchange?
        /// Whether the server lets it be kept at all.
        var isStorable = true
        var isStored = false
    }

    private enum Plan {
        case found(SimulatedImage)
        case load(Int, isFirst: Bool)
    }

    private let catalog: FeedCatalog
    private let joinsRequests: Bool
    private var memory: MemoryCache<SimulatedImage>?
    private var disk: SimulatedDisk?

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
        memory?.peek(reference.cacheKey) != nil || disk?.holds(reference.cacheKey, now: now) == true
    }

    /// Asks for a batch of images and waits for all of them; throws when one cannot be had.
    mutating func load(_ references: [ImageReference], now: Int64) async throws -> [Delivery] {
        var loads: [Load] = []
        var plans: [Plan] = []
        for reference in references { plans.append(try await plan(reference, &loads, now)) }
        var deliveries: [Delivery] = []
        for (reference, plan) in zip(references, plans) {
            switch plan {
            case .found(let image):
                memory?.touch(reference.cacheKey)
                deliveries.append(
                    Delivery(reference: reference, source: .memory, byteCount: image.byteCount, exchange: nil)
                )
            case .load(let index, let isFirst):
                store(&loads[index], now)
                let load = loads[index]
                // Whoever waits for what another reads from disk has it from there, too.
                let source = isFirst || load.source == .disk ? load.source : .joined
                deliveries.append(
                    Delivery(
                        reference: reference,
                        source: source,
                        byteCount: load.image.byteCount,
                        exchange: isFirst ? load.exchange : nil
                    )
                )
            }
        }
        return deliveries
    }

    private mutating func plan(_ reference: ImageReference, _ loads: inout [Load], _ now: Int64) async throws -> Plan {
        let key = reference.cacheKey
        let inMemory = memory?.peek(key)
        if let inMemory, isFresh(inMemory, reference, now) { return .found(inMemory) }
        if joinsRequests, let index = loads.firstIndex(where: { $0.key == key }) { return .load(index, isFirst: false) }
        let onDisk = disk?.image(key, now: now)
        if let onDisk, isFresh(onDisk, reference, now) {
            loads.append(Load(key: key, source: .disk, image: onDisk, exchange: nil))
        } else {
            loads.append(try await request(reference, known: onDisk ?? inMemory, now))
        }
        return .load(loads.count - 1, isFirst: true)
    }

    private mutating func request(
        _ reference: ImageReference,
        known: SimulatedImage?,
        _ now: Int64
    ) async throws -> Load {
        var request = reference.request(storage: catalog.endpoint.storage)
        if let known, !known.entityTag.isEmpty { request.headers["If-None-Match"] = known.entityTag }
        let exchange = try await catalog.exchange(request)
        let headers = exchange.headers
        let freshUntil = Freshness(headers).freshUntil(from: now)
        switch exchange.status {
        case 304:
            guard var image = known else { throw FailedImage(subject: reference.subject, status: 304) }
            image.freshUntil = freshUntil
            disk?.note(freshUntil: freshUntil, for: reference.cacheKey)
            return Load(key: reference.cacheKey, source: .revalidation, image: image, exchange: exchange)
        case 200:
            let image = SimulatedImage(
                byteCount: exchange.byteCount,
                freshUntil: freshUntil,
                entityTag: headers["ETag"] ?? ""
            )
            var load = Load(key: reference.cacheKey, source: .network, image: image, exchange: exchange)
            load.isStorable = Freshness(headers).isStorable
            return load
        case let status: throw FailedImage(subject: reference.subject, status: status)
        }
    }

    /// Puts an image into the caches, or notes that it was asked for once more.
    private mutating func store(_ load: inout Load, _ now: Int64) {
        guard load.isStorable else { return }
        if load.isStored, memory?.peek(load.key) != nil {
            memory?.touch(load.key)
        } else {
            memory?.store(load.image, for: load.key, byteCount: load.image.byteCount)
        }
        guard !load.isStored else { return }
        load.isStored = true
        switch load.source {
        case .disk: disk?.touch(load.key, now: now)
        case .revalidation where disk?.holds(load.key, now: now) == true: disk?.touch(load.key, now: now)
        case .memory, .joined, .network, .revalidation: disk?.store(load.image, load.key, now: now)
        }
    }

    private func isFresh(_ image: SimulatedImage, _ reference: ImageReference, _ now: Int64) -> Bool {
        reference.generation != nil || image.freshUntil > now
    }
}

/// An image that the servers do not have.
struct FailedImage: Error {
    let subject: String
    let status: Int
}
