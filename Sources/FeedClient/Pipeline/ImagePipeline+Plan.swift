// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ImagePipeline {
    /// Decides where an image comes from.
    func plan(_ reference: ImageReference, for waiter: Waiter, priority: ImagePriority) {
        let key = key(of: reference)
        let inMemory = memory?.image(key, as: reference.role)
        let loadID = loads.id(of: key)
        let now = environment.now()
        switch decisions.firstStep(
            hasGeneration: reference.generation != nil,
            inMemoryFreshUntil: inMemory?.freshUntil,
            isInFlight: loadID != nil,
            now: now
        ) {
        case .show(let revalidates):
            guard let inMemory else { return }
            deliverFromMemory(inMemory, reference: reference, key: key, to: waiter)
            if revalidates { revalidateInBackground(reference, key: key, image: inMemory) }
        case .join: if let loadID { join(loadID, waiter: waiter, priority: priority) }
        case .readDisk:
            let load = Load(
                reference: reference,
                key: key,
                host: reference.host(storage: storage),
                phase: .queued,
                priority: priority,
                waiters: [waiter],
                known: inMemory
            )
            readDisk(load)
        }
    }

    /// Adds a load that begins with the file on disk, or without one on the network.
    private func readDisk(_ load: Load) {
        if let file = disk?.file(for: load.key, isOpened: readingCount < Self.openFileCountMax) {
            var load = load
            load.phase = .reading
            load.known = nil
            readingCount += 1
            let id = add(load)
            // Detached: a plain task would read on this actor, and all loads would wait for the disk.
            Task.detached { await self.finishReading(id, with: file.read()) }
        } else if load.known == nil, let head = load.reference.head {
            addGoingOn(load, after: head)
        } else {
            add(load)
        }
    }

    /// Adds a load of the rest of an image, if a cache has its beginning.
    private func addGoingOn(_ load: Load, after head: ImageReference) {
        var load = load
        let key = key(of: head)
        if let image = memory?.image(key, as: head.role) {
            if image.isHead(load.reference) { load.head = image }
        } else if let file = disk?.file(for: key, isOpened: readingCount < Self.openFileCountMax) {
            load.phase = .reading
            readingCount += 1
            let id = add(load)
            Task.detached { await self.finishReadingHead(id, with: file.read()) }
            return
        }
        add(load)
    }

    /// Removes an image from the caches.
    func forget(_ reference: ImageReference) {
        let key = key(of: reference)
        memory?.remove(key)
        disk?.remove(key)
    }

    private func deliverFromMemory(_ image: CachedImage, reference: ImageReference, key: String, to waiter: Waiter) {
        statistics.memoryHits += 1
        statistics.memoryByteCount += image.data.count
        deliver(image.data, from: .memory, of: key, to: waiter)
        resolve(waiter.ticket, with: .found(key: key, reference.role))
    }

    func revalidateInBackground(_ reference: ImageReference, key: String, image: CachedImage) {
        // One that has come and waits for its turn is this very image.
        if let id = loads.id(of: key), let load = loads[id] {
            guard case .arrived = load.phase else { return }
        }
        let load = Load(
            reference: reference,
            key: key,
            host: reference.host(storage: storage),
            phase: .queued,
            priority: .low,
            waiters: [],
            known: image,
            backgroundTicket: sequence.takeTicket()
        )
        _ = add(load)
    }

    private func join(_ id: Int, waiter: Waiter, priority: ImagePriority) {
        guard let load = loads[id] else { return }
        if case .arrived(let arrival) = load.phase {
            loads[id]?.pendingTicketCount += 1
            count(arrival, position: 1)
            deliver(arrival.image.data, from: arrival.origin, of: load.key, to: waiter)
            return resolve(waiter.ticket, with: .came(loadID: id))
        }
        if configuration.staleness == .staleWhileRevalidate, let known = load.known {
            statistics.memoryHits += 1
            statistics.memoryByteCount += known.data.count
            deliver(known.data, from: .memory, of: load.key, to: waiter)
            return resolve(waiter.ticket, with: .nothing)
        }
        loads[id]?.waiters.append(waiter)
        loads.raise(id, to: priority)
        batches[waiter.batchID]?.loadIDs.insert(id)
    }

    @discardableResult
    private func add(_ load: Load) -> Int {
        let id = loads.add(load)
        for waiter in load.waiters { batches[waiter.batchID]?.loadIDs.insert(id) }
        return id
    }

    func refusal(for reference: ImageReference, priority: ImagePriority) -> String? {
        configuration.dataGuard?.refusal(for: reference.role, priority: priority)
    }

    /// Ends a load that must not begin now: with the image that is known, or without one.
    func withhold(_ id: Int, because reason: String) {
        guard let load = loads.remove(id) else { return }
        for waiter in load.waiters {
            if let known = load.known {
                statistics.memoryHits += 1
                statistics.memoryByteCount += known.data.count
                deliver(known.data, from: .memory, of: load.key, to: waiter)
            } else {
                statistics.withheld += 1
                fail(.withheld(load.reference.subject, reason: reason), of: load.key, to: waiter)
            }
            resolve(waiter.ticket, with: .nothing)
        }
        if let ticket = load.backgroundTicket { resolve(ticket, with: .nothing) }
    }

    func deliver(_ data: Data, from origin: ImageOrigin, of key: String, to waiter: Waiter) {
        deliver(.success((data, origin)), of: key, to: waiter)
    }

    func fail(_ error: FeedError, of key: String, to waiter: Waiter) {
        deliver(.failure(error), of: key, to: waiter)
    }

    private func deliver(
        _ outcome: Result<(data: Data, origin: ImageOrigin), FeedError>,
        of key: String,
        to waiter: Waiter
    ) {
        guard var batch = batches.removeValue(forKey: waiter.batchID) else { return }
        if batch.priority > .prefetch { ledger.noteUse(of: key) }
        batch.continuation.yield(ImageDelivery(index: waiter.index, outcome: outcome))
        batch.awaitedCount -= 1
        if batch.awaitedCount > 0 {
            batches[waiter.batchID] = batch
        } else {
            batch.continuation.finish()
        }
    }
}

extension CachedImage {
    /// Whether the rest of the image that is referred to can be asked for after this.
    func isHead(_ reference: ImageReference) -> Bool {
        reference.isGoneOn(afterByteCount: data.count, entityTag: entityTag)
    }
}
