// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The image pipeline of FeedClient without images: what comes from which cache, and what must be loaded.
///
/// It shares the decisions of `ImagePipeline`, see `ImageDecisions`: all images of a batch are planned before any comes, and
/// the caches learn of them in the order in which they were asked for. Images and keys are numbers of the ``ImageTable``.
struct SimulatedPipeline: Sendable {
    /// An image on its way.
    private struct Load {
        let origin: ImageOrigin
        let image: SimulatedImage
        let exchange: Int?
        /// The cache key of the image.
        let filedAs: Int
        /// Whether the server lets it be kept at all.
        var isStorable = true
        var isStored = false
    }

    private enum Plan {
        case found(byteCount: Int, key: Int)
        case load(Int, isFirst: Bool)
        case failure(exchange: Int)
    }

    private enum Planning {
        case done(Plan)
        /// The answer to this is not known yet.
        case asking(ImageTable.Condition)
    }

    private let decisions: ImageDecisions
    private var memory: NumberedCache<SimulatedImage>?
    private var disk: SimulatedDisk?
    private var keys = CacheKeys<Int>()
    /// Whether ``keys`` has any: asking it takes longer than to know.
    private var hasSuccessors = false
    /// The images of a batch that are on their way.
    private var loads: [Load] = []
    private var plans: [Plan] = []
    /// The loads of a batch by their keys.
    private var inFlight = KeyMarks()

    init(_ strategy: Strategy) {
        decisions = ImageDecisions(joinsRequests: strategy.joinsRequests, staleness: .revalidate)
        memory = strategy.memory.map { NumberedCache(byteCountMax: $0.byteCountMax, policy: $0.policy) }
        disk = strategy.disk.map { SimulatedDisk($0) }
    }

    /// Begins again, with nothing in the caches; `now` is in microseconds since 1970.
    mutating func begin(at now: Int64) {
        memory?.removeAll()
        disk?.begin(at: now)
        if hasSuccessors { (keys, hasSuccessors) = (CacheKeys(), false) }
    }

    /// Forgets what is in memory.
    mutating func removeMemory() { memory?.removeAll() }

    /// Whether an image can be had without the network.
    func holds(_ image: Int, of feed: SimulatedFeed, now: Int64) -> Bool {
        let key = feed.images.keys[key(of: image, in: feed.images)]
        return memory?[key.number] != nil || disk?.holds(key, now: now) == true
    }

    /// The key of an image, as far as it is known before the image is asked for.
    private func key(of image: Int, in table: ImageTable) -> Int {
        key(succeeding: table.images[image].key)
    }

    private func key(succeeding own: Int) -> Int { hasSuccessors ? keys.key(of: own) : own }

    /// Asks for a batch of images and waits for all of them; throws ``FailedImage`` when one cannot be had that is not
    /// loaded beforehand.
    mutating func load(
        _ images: [Int],
        of feed: inout SimulatedFeed,
        now: Int64,
        isPrefetch: Bool = false,
        into deliveries: inout [SimulatedStep.Delivery]
    ) async throws {
        loads.removeAll(keepingCapacity: true)
        plans.removeAll(keepingCapacity: true)
        inFlight.removeAll()
        for image in images {
            var planning = plan(image, in: feed.images, at: now)
            while case .asking(let condition) = planning {
                try await feed.ask(condition)
                planning = plan(image, in: feed.images, at: now)
            }
            guard case .done(let plan) = planning else { continue }
            if case .failure(let exchange) = plan, !isPrefetch { throw FailedImage(image: image, exchange: exchange) }
            plans.append(plan)
        }
        for index in images.indices { deliver(images[index], plans[index], in: feed.images, at: now, to: &deliveries) }
    }

    private mutating func plan(_ image: Int, in table: ImageTable, at now: Int64) -> Planning {
        let key = key(of: image, in: table)
        let hasGeneration = table.images[image].hasGeneration
        let inMemory = memory?[key]
        let loadInFlight = inFlight[key]
        switch decisions.firstStep(
            hasGeneration: hasGeneration,
            inMemoryFreshUntil: inMemory?.freshUntil,
            isInFlight: loadInFlight != nil,
            now: now
        ) {
        case .show: return .done(.found(byteCount: inMemory?.byteCount ?? 0, key: key))
        case .join: if let loadInFlight { return .done(.load(loadInFlight, isFirst: false)) }
        case .readDisk: break
        }
        let onDisk = disk?.image(table.keys[key], now: now)
        let step = decisions.secondStep(
            hasGeneration: hasGeneration,
            onDiskFreshUntil: onDisk?.freshUntil,
            now: now
        )
        if let onDisk, case .show = step {
            return .done(add(Load(origin: .disk, image: onDisk, exchange: nil, filedAs: key), for: key))
        }
        return plan(image, key: key, known: onDisk ?? inMemory, in: table, at: now)
    }

    /// Loads an image from its server, or what is left of it, or asks whether it has another than the one that is known.
    private mutating func plan(
        _ image: Int,
        key: Int,
        known: SimulatedImage?,
        in table: ImageTable,
        at now: Int64
    ) -> Planning {
        var condition = ImageTable.Condition(image: image)
        if let known {
            if known.tag != 0 { (condition.kind, condition.tag) = (.revalidated, known.tag) }
        } else if let head = head(of: image, in: table, at: now) {
            (condition.kind, condition.tag, condition.headByteCount) = (.resumed, head.tag, head.byteCount)
        }
        guard let number = table.arrival(condition) else { return .asking(condition) }
        let arrival = table.arrivals[number]
        let freshUntil = now + arrival.lifetime
        switch arrival.status {
        case 304:
            guard var confirmed = known else { return .done(.failure(exchange: arrival.exchange)) }
            confirmed.freshUntil = freshUntil
            disk?.note(freshUntil: freshUntil, for: table.keys[key])
            let load = Load(origin: .revalidation, image: confirmed, exchange: arrival.exchange, filedAs: key)
            return .done(add(load, for: key))
        case 200, 206:
            if arrival.isLater, let served = arrival.servedKey {
                keys.succeed(table.images[image].key, by: served)
                hasSuccessors = true
            }
            let load = Load(
                origin: .network,
                image: SimulatedImage(byteCount: arrival.byteCount, freshUntil: freshUntil, tag: arrival.tag),
                exchange: arrival.exchange,
                filedAs: arrival.servedKey ?? key,
                isStorable: arrival.isStorable
            )
            return .done(add(load, for: key))
        default: return .done(.failure(exchange: arrival.exchange))
        }
    }

    private mutating func add(_ load: Load, for key: Int) -> Plan {
        loads.append(load)
        _ = inFlight.insert(key, value: loads.count - 1)
        return .load(loads.count - 1, isFirst: true)
    }

    private mutating func deliver(
        _ image: Int,
        _ plan: Plan,
        in table: ImageTable,
        at now: Int64,
        to deliveries: inout [SimulatedStep.Delivery]
    ) {
        func exchange(_ number: Int) -> SimulatedStep.Delivery.Exchange {
            SimulatedStep.Delivery.Exchange(number: number, answerByteCount: table.costs[number].answerByteCount)
        }
        switch plan {
        case .found(let byteCount, let key):
            memory?.touch(key)
            deliveries.append(SimulatedStep.Delivery(image: image, key: key, source: .memory, byteCount: byteCount))
        case .failure(let number):
            let key = key(of: image, in: table)
            var delivery = SimulatedStep.Delivery(image: image, key: key, source: .failed, byteCount: 0)
            delivery.exchange = exchange(number)
            delivery.expectedByteCount = table.images[image].expectedByteCount
            deliveries.append(delivery)
        case .load(let index, let isFirst):
            store(index, in: table, at: now)
            let load = loads[index]
            // A request that waits for another's read from disk counts as a disk hit, too.
            let source = isFirst || load.origin == .disk ? SimulatedStep.Source(load.origin) : .joined
            var delivery = SimulatedStep.Delivery(
                image: image,
                key: load.filedAs,
                source: source,
                byteCount: load.image.byteCount
            )
            delivery.exchange = isFirst ? load.exchange.map(exchange) : nil
            delivery.expectedByteCount = table.images[image].expectedByteCount
            deliveries.append(delivery)
        }
    }

    /// Puts an image into the caches, or notes that it was asked for once more.
    private mutating func store(_ index: Int, in table: ImageTable, at now: Int64) {
        let load = loads[index]
        guard load.isStorable else { return }
        let key = table.keys[load.filedAs]
        let isInMemory = memory?[key.number] != nil
        switch ImageDecisions.keepingInMemory(wasStored: load.isStored, isInMemory: isInMemory) {
        case .touch: memory?.touch(key.number)
        case .store: memory?.insert(key.number, id: key.idInMemory, value: load.image, byteCount: load.image.byteCount)
        }
        guard !load.isStored else { return }
        loads[index].isStored = true
        let isOnDisk = disk?.holds(key, now: now) == true
        switch ImageDecisions.keepingOnDisk(load.origin, isOnDisk: isOnDisk) {
        case .touch: disk?.touch(key, now: now)
        case .store: disk?.store(load.image, key: key, now: now)
        }
    }

    /// The beginning of an image, if a cache has it and the rest can be asked for after it.
    private mutating func head(of image: Int, in table: ImageTable, at now: Int64) -> SimulatedImage? {
        guard let headKey = table.images[image].headKey else { return nil }
        let key = table.keys[key(succeeding: headKey)]
        guard let head = memory?[key.number] ?? disk?.image(key, now: now),
            table.images[image].reference.isGoneOn(afterByteCount: head.byteCount, entityTag: table.tags[head.tag])
        else { return nil }
        return head
    }
}

/// An image that the servers do not have.
struct FailedImage: Error {
    let image: Int
    /// The request for it.
    let exchange: Int
}
