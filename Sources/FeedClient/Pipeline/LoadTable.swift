// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The loads of a pipeline, found by key from the request to their turn to enter the caches.
struct LoadTable {
    private var loads: [Int: Load] = [:]
    private var idByKey: [String: Int] = [:]
    private var queues: [String: HostQueue] = [:]
    private let limitsPerHost: HostQueue.Limits
    private var lastID = 0

    init(_ limitsPerHost: HostQueue.Limits) { self.limitsPerHost = limitsPerHost }

    subscript(_ id: Int) -> Load? {
        get { loads[id] }
        set { loads[id] = newValue }
    }

    /// The loads that are not over, those included that wait for their turn to enter the caches.
    var count: Int { loads.count }

    func id(of key: String) -> Int? { idByKey[key] }

    mutating func add(_ load: Load) -> Int {
        lastID += 1
        loads[lastID] = load
        idByKey[load.key] = lastID
        if case .queued = load.phase { queue(lastID) }
        return lastID
    }

    /// Lets a load wait for its place; one that waits already is found in its new lane.
    mutating func queue(_ id: Int) {
        guard let load = loads[id] else { return }
        loads[id]?.phase = .queued
        queues[load.host, default: HostQueue(limitsPerHost)].append(
            id,
            priority: load.priority,
            byteCount: load.byteCount
        )
    }

    /// Gives a load at least this priority; one that runs keeps its place.
    mutating func raise(_ id: Int, to priority: ImagePriority) {
        guard let load = loads[id], load.priority < priority else { return }
        loads[id]?.priority = priority
        if case .queued = load.phase { queue(id) }
    }

    /// Takes the next load that has a place; the caller sets it running.
    mutating func startNext() -> Int? {
        for host in queues.keys {
            let next = queues[host]?.popNext { [loads] id, priority in
                guard let load = loads[id], case .queued = load.phase else { return false }
                return load.priority == priority
            }
            guard let next else { continue }
            loads[next.id]?.bookedByteCount = next.byteCount
            return next.id
        }
        return nil
    }

    /// Frees the place of a load that ran.
    mutating func end(_ id: Int) {
        guard let load = loads[id] else { return }
        switch load.phase {
        case .running(_, let priority), .stopping(let priority):
            queues[load.host]?.end(startedAs: priority, byteCount: load.bookedByteCount)
        case .reading, .queued, .arrived: return
        }
    }

    @discardableResult
    mutating func remove(_ id: Int) -> Load? {
        guard let load = loads.removeValue(forKey: id) else { return nil }
        // With requests that do not join, a later load may bear the same key.
        if idByKey[load.key] == id { idByKey[load.key] = nil }
        return load
    }
}
