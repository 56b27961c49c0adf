// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ImagePipeline {
    func startLoads() {
        while let id = loads.startNext(countMaxPerHost: configuration.concurrentLoadCountMax), let load = loads[id] {
            let fetch = ImageFetch(
                key: load.key,
                subject: load.reference.subject,
                request: load.reference.request(storage: storage),
                known: load.known,
                transport: transport,
                retries: configuration.retries,
                partials: partials,
                environment: environment,
                progress: load.progress
            )
            let task = Task { finish(id, await fetch.run()) }
            loads[id]?.phase = .running(task, startedAs: load.priority)
        }
    }

    private func finish(_ id: Int, _ report: FetchReport) {
        loads.end(id)
        defer { startLoads() }
        guard let load = loads[id] else { return }
        account(for: report, load)
        switch report.result {
        case .image(let fetched): arrive(id, fetched, load)
        case .notModified(let freshUntil): confirm(id, freshUntil, load)
        case .failure(let error): fail(id, error)
        case .cancelled where load.isWanted: loads.queue(id)
        case .cancelled: loads.remove(id)
        }
    }

    private func arrive(_ id: Int, _ fetched: FetchedImage, _ load: Load) {
        let isOther =
            load.reference.generation != nil && fetched.generation != nil
            && fetched.generation != load.reference.generation
        let key = isOther ? load.reference.cacheKey(generation: fetched.generation) : load.key
        if isOther { noteSuccessor(key, of: load.key) }
        var arrival = Arrival(image: fetched.image, origin: .network, key: key, file: fetched.file)
        arrival.isStorable = fetched.isStorable
        arrive(id, arrival)
    }

    /// The document is older than its image: whoever asks for the older one again is shown what there is.
    private func noteSuccessor(_ key: String, of oldKey: String) {
        if successors.count >= Self.successorCountMax { successors.removeAll() }
        successors[oldKey] = key
    }

    /// The server has no other image than the one that is known.
    private func confirm(_ id: Int, _ freshUntil: Int64, _ load: Load) {
        guard var image = load.known else { return fail(id, .responseUnreadable(load.reference.subject, "a 304")) }
        image.freshUntil = freshUntil
        disk?.note(freshUntil: freshUntil, for: load.key)
        arrive(id, Arrival(image: image, origin: .revalidation, key: load.key))
    }

    private func fail(_ id: Int, _ error: FeedError) {
        guard let load = loads.remove(id) else { return }
        for waiter in load.waiters {
            statistics.failures += 1
            deliver(.failure(error), of: load.key, to: waiter)
            resolve(waiter.ticket, .nothing)
        }
        if let ticket = load.backgroundTicket { resolve(ticket, .nothing) }
    }

    func finishReading(_ id: Int, _ image: CachedImage?) {
        guard var load = loads[id] else { return }
        defer { startLoads() }
        guard let image else {
            disk?.remove(load.key)
            return loadFromNetwork(id, load)
        }
        let freshness = freshness(of: image, load.reference)
        guard freshness == .stale else {
            arrive(id, Arrival(image: image, origin: .disk, key: load.key))
            if freshness == .staleButShown { revalidateInBackground(load.reference, load.key, image) }
            return
        }
        load.known = image
        loads[id]?.known = image
        loadFromNetwork(id, load)
    }

    private func loadFromNetwork(_ id: Int, _ load: Load) {
        guard load.isWanted else {
            loads.remove(id)
            return
        }
        guard let reason = refusal(for: load.reference, load.priority) else { return loads.queue(id) }
        loads.remove(id)
        for waiter in load.waiters { withhold(load, reason, from: waiter) }
    }

    /// Forgets a batch nobody listens to, and cancels the loads that only it waited for.
    func abandon(_ batchID: Int) {
        guard let batch = batches.removeValue(forKey: batchID) else { return }
        statistics.cancelled += batch.awaitedCount
        for id in batch.loadIDs { abandon(id, batchID) }
        startLoads()
    }

    private func abandon(_ id: Int, _ batchID: Int) {
        guard let load = loads[id] else { return }
        // What has come is only waiting for its turn.
        if case .arrived = load.phase { return }
        loads[id]?.waiters.removeAll { $0.batchID == batchID }
        for waiter in load.waiters where waiter.batchID == batchID { resolve(waiter.ticket, .nothing) }
        guard loads[id]?.isWanted == false else { return }
        switch load.phase {
        case .queued: loads.remove(id)
        case .running(let task, let priority):
            task.cancel()
            loads[id]?.phase = .stopping(startedAs: priority)
        case .reading, .stopping, .arrived: return
        }
    }
}
