// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Where an image of a batch is to be delivered.
struct Waiter {
    let batchID: Int
    let index: Int
}

/// A caller's batch of images.
struct Batch {
    let continuation: AsyncStream<ImageDelivery>.Continuation
    /// The images not delivered yet.
    var awaitedCount: Int
}

/// An image on its way from the network, and who waits for it.
struct Load {
    let reference: ImageReference
    let key: String
    /// The ticket of the latest request for the image.
    var ticket: UInt64
    /// The first asked for the image, the others joined.
    var waiters: [Waiter]
    var task: Task<Void, Never>?
}

/// The loads of a pipeline: queued in the order they were planned, then running, found by key all the while.
struct LoadTable {
    private var loads: [Int: Load] = [:]
    private var idByKey: [String: Int] = [:]
    private var queue: [Int] = []
    private var queueStart = 0
    private var lastID = 0
    /// The loads that hold a place among the running, abandoned ones included.
    private(set) var runningCount = 0

    /// Adds a waiter to the load of a key; false when there is none.
    mutating func join(_ key: String, _ waiter: Waiter, ticket: UInt64) -> Bool {
        guard let id = idByKey[key] else { return false }
        loads[id]?.waiters.append(waiter)
        loads[id]?.ticket = ticket
        return true
    }

    mutating func enqueue(_ load: Load) {
        lastID += 1
        loads[lastID] = load
        idByKey[load.key] = lastID
        queue.append(lastID)
    }

    /// Takes the next load from the queue, passing over abandoned ones.
    mutating func startNext() -> (id: Int, load: Load)? {
        while queueStart < queue.count {
            let id = queue[queueStart]
            queueStart += 1
            guard let load = loads[id] else { continue }
            runningCount += 1
            return (id, load)
        }
        queue.removeAll(keepingCapacity: true)
        queueStart = 0
        return nil
    }

    mutating func setTask(_ task: Task<Void, Never>, of id: Int) { loads[id]?.task = task }

    /// Ends a running load; `nil` when it was abandoned.
    mutating func finish(_ id: Int) -> Load? {
        runningCount -= 1
        return remove(id)
    }

    /// Takes a batch's waiters out, and cancels the loads that nobody waits for then.
    mutating func abandon(_ batchID: Int) {
        for (id, load) in loads where load.waiters.contains(where: { $0.batchID == batchID }) {
            loads[id]?.waiters.removeAll { $0.batchID == batchID }
            if loads[id]?.waiters.isEmpty == true { remove(id)?.task?.cancel() }
        }
    }

    private mutating func remove(_ id: Int) -> Load? {
        guard let load = loads.removeValue(forKey: id) else { return nil }
        // With requests that do not join, a later load may bear the same key.
        if idByKey[load.key] == id { idByKey[load.key] = nil }
        return load
    }
}
