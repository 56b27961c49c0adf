// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ImagePipeline {
    /// Delivers an image that came, and lets it enter the caches when its turn has come.
    func arrive(_ id: Int, with arrival: Arrival) {
        guard let load = loads[id] else { return }
        for (position, waiter) in load.waiters.enumerated() {
            count(arrival, position: position)
            deliver(arrival.image.data, from: arrival.origin, of: load.key, to: waiter)
        }
        let tickets = load.waiters.map(\.ticket) + (load.backgroundTicket.map { [$0] } ?? [])
        guard memory != nil || disk != nil else {
            loads.remove(id)
            for ticket in tickets { resolve(ticket, with: .nothing) }
            return
        }
        arrivedByteCount += arrival.image.data.count
        loads[id]?.phase = .arrived(arrival)
        loads[id]?.waiters = []
        loads[id]?.pendingTicketCount = tickets.count
        // Cancelled, but it had come already.
        if tickets.isEmpty { store(id) }
        for ticket in tickets { resolve(ticket, with: .came(loadID: id)) }
        while arrivedByteCount > environment.arrivedByteCountMax {
            let outcomes = sequence.passOverUnresolved()
            guard !outcomes.isEmpty else { return }
            apply(outcomes)
        }
    }

    /// Notes the outcome of a request, and passes to the caches those whose turn has come.
    func resolve(_ ticket: UInt64, with outcome: AccessSequence.Outcome) {
        apply(sequence.resolve(ticket, with: outcome))
    }

    private func apply(_ outcomes: [AccessSequence.Outcome]) {
        for outcome in outcomes {
            switch outcome {
            case .found(let key, let role): memory?.touch(key, as: role)
            case .came(let id):
                loads[id]?.pendingTicketCount -= 1
                store(id)
            case .nothing: continue
            }
        }
    }

    /// Puts an image into the caches, or notes that it was asked for once more.
    private func store(_ id: Int) {
        guard let load = loads[id], case .arrived(var arrival) = load.phase else { return }
        if arrival.isStorable {
            storeInMemory(arrival, as: load.reference.role)
            if !arrival.isStored { storeOnDisk(arrival, for: load) }
            arrival.isStored = true
            loads[id]?.phase = .arrived(arrival)
        }
        guard load.pendingTicketCount <= 0 else { return }
        arrivedByteCount -= arrival.image.data.count
        loads.remove(id)
    }

    private func storeInMemory(_ arrival: Arrival, as role: ImageReference.Role) {
        let isInMemory = memory?.image(arrival.key, as: role) != nil
        switch ImageDecisions.keepingInMemory(wasStored: arrival.isStored, isInMemory: isInMemory) {
        case .touch: memory?.touch(arrival.key, as: role)
        case .store: memory?.store(arrival.image, key: arrival.key, as: role)
        }
    }

    private func storeOnDisk(_ arrival: Arrival, for load: Load) {
        let isOnDisk = disk?.holds(arrival.key) == true
        switch ImageDecisions.keepingOnDisk(arrival.origin, isOnDisk: isOnDisk) {
        case .touch: disk?.touch(arrival.key)
        case .store:
            // The file bears the name of the generation that was asked for.
            guard let file = arrival.file, arrival.key == load.key else { return storeAnew(arrival) }
            do {
                try disk?.admit(file, for: arrival.key, imageByteCount: arrival.image.data.count)
            } catch {
                // Another process may have taken the file in.
                storeAnew(arrival)
            }
        }
    }

    private func storeAnew(_ arrival: Arrival) {
        if let file = arrival.file { try? FileManager.default.removeItem(at: file) }
        countingFailures { try disk?.store(arrival.image, for: arrival.key) }
    }

    private func countingFailures(_ body: () throws -> Void) {
        do { try body() } catch { statistics.diskWriteFailures += 1 }
    }

    /// Keeps an image that the app has itself, such as one that it uploaded, under the name it will be asked for by.
    public func store(_ data: Data, for reference: ImageReference) {
        let image = CachedImage(data: data, freshUntil: reference.generation == nil ? 0 : .max)
        countingFailures { try disk?.store(image, for: reference.cacheKey) }
        memory?.store(image, key: reference.cacheKey, as: reference.role)
    }

    func count(_ arrival: Arrival, position: Int) {
        let byteCount = arrival.image.data.count
        switch arrival.origin {
        case .memory:
            statistics.memoryHits += 1
            statistics.memoryByteCount += byteCount
        case .disk:
            statistics.diskHits += 1
            statistics.diskByteCount += byteCount
        case .network where position == 0:
            statistics.networkLoads += 1
            statistics.networkByteCount += byteCount
        case .revalidation where position == 0:
            statistics.revalidated += 1
            statistics.revalidatedByteCount += byteCount
        case .network, .revalidation:
            statistics.joined += 1
            statistics.joinedByteCount += byteCount
        }
    }
}
