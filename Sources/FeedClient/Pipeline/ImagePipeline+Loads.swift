// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ImagePipeline {
    func startLoads() {
        while let id = loads.startNext(), let load = loads[id] {
            if let reason = refusal(for: load.reference, priority: load.priority) {
                loads[id]?.phase = .stopping(startedAs: load.priority)
                loads.end(id)
                withhold(id, because: reason)
                continue
            }
            let authorized = authorizedTransport(for: load.reference)
            let fetch = ImageFetch(
                key: load.key,
                subject: load.reference.subject,
                request: load.reference.request(storage: storage),
                known: load.known,
                head: load.head,
                isPrefix: load.reference.prefixByteCount != nil,
                transport: authorized ?? transport,
                refusedByteCount: { authorized?.refusedByteCount ?? 0 },
                retries: configuration.retries,
                partials: partials,
                environment: environment,
                progress: load.progress
            )
            let task = Task(priority: load.priority.taskPriority) { finish(id, with: await fetch.run()) }
            loads[id]?.phase = .running(task, startedAs: load.priority)
        }
    }

    /// What sends the user's tokens; `nil` where there are none, or the reference needs none.
    private func authorizedTransport(for reference: ImageReference) -> AuthorizedTransport? {
        guard let credentials, case .object = reference.location, reference.token == nil else { return nil }
        return AuthorizedTransport(transport, store: credentials, scheme: .firebase)
    }

    private func finish(_ id: Int, with report: FetchReport) {
        loads.end(id)
        defer { startLoads() }
        guard let load = loads[id] else { return }
        if report.isHeadWrong, let head = load.reference.head { forget(head) }
        let key = keys.key(of: load.reference, askedAs: load.key, served: report.servedGeneration)
        ledger.record(report, of: key, isPrefetch: load.priority == .prefetch, isRevalidation: load.known != nil)
        switch report.result {
        case .image(let fetched):
            var arrival = Arrival(image: fetched.image, origin: .network, key: key, file: fetched.file)
            arrival.isStorable = fetched.isStorable
            arrive(id, with: arrival)
        case .notModified(let freshUntil): confirm(id, freshUntil: freshUntil, for: load)
        case .failure(let error): fail(id, with: error)
        case .cancelled where load.isWanted: loads.queue(id)
        case .cancelled: loads.remove(id)
        }
    }

    /// The server has no other image than the one that is known.
    private func confirm(_ id: Int, freshUntil: Int64, for load: Load) {
        guard var image = load.known else {
            return fail(id, with: .responseUnreadable(load.reference.subject, problem: "a 304"))
        }
        image.freshUntil = freshUntil
        disk?.note(freshUntil: freshUntil, for: load.key)
        arrive(id, with: Arrival(image: image, origin: .revalidation, key: load.key))
    }

    private func fail(_ id: Int, with error: FeedError) {
        // Without a network of one's own, what is known is shown as it is.
        if [.noResponse, .credentialsMissing, .notAnImage].contains(error.code), let known = loads[id]?.known,
            let key = loads[id]?.key
        {
            return arrive(id, with: Arrival(image: known, origin: .revalidation, key: key))
        }
        guard let load = loads.remove(id) else { return }
        for waiter in load.waiters {
            statistics.failures += 1
            fail(error, of: load.key, to: waiter)
            resolve(waiter.ticket, with: .nothing)
        }
        if let ticket = load.backgroundTicket { resolve(ticket, with: .nothing) }
    }

    func finishReading(_ id: Int, with contents: ImageFile.Contents) {
        readingCount -= 1
        guard let load = loads[id] else { return }
        defer { startLoads() }
        guard case .image(let image) = contents else {
            if case .damaged = contents { disk?.remove(load.key) }
            return loadFromNetwork(id)
        }
        switch decisions.secondStep(
            hasGeneration: load.reference.generation != nil,
            onDiskFreshUntil: image.freshUntil,
            now: environment.now()
        ) {
        case .show(let revalidates):
            arrive(id, with: Arrival(image: image, origin: .disk, key: load.key))
            if revalidates { revalidateInBackground(load.reference, key: load.key, image: image) }
        case .load:
            loads[id]?.known = image
            loadFromNetwork(id)
        }
    }

    func finishReadingHead(_ id: Int, with contents: ImageFile.Contents) {
        readingCount -= 1
        guard let load = loads[id] else { return }
        switch contents {
        case .image(let image) where image.isHead(load.reference): loads[id]?.head = image
        case .damaged: load.reference.head.map(forget)
        case .image, .unreadable: break
        }
        loadFromNetwork(id)
        startLoads()
    }

    private func loadFromNetwork(_ id: Int) {
        if loads[id]?.isWanted == true { loads.queue(id) } else { loads.remove(id) }
    }

    /// Forgets a batch without a listener, and cancels the loads that only it waited for.
    func abandon(_ batchID: Int) {
        guard let batch = batches.removeValue(forKey: batchID) else { return }
        statistics.cancelled += batch.awaitedCount
        for id in batch.loadIDs { abandon(id, in: batchID) }
        startLoads()
    }

    private func abandon(_ id: Int, in batchID: Int) {
        guard let load = loads[id] else { return }
        // An arrived image only waits for its turn.
        if case .arrived = load.phase { return }
        loads[id]?.waiters.removeAll { $0.batchID == batchID }
        for waiter in load.waiters where waiter.batchID == batchID { resolve(waiter.ticket, with: .nothing) }
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
