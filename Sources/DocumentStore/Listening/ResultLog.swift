// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The changes in a live result that some observers have not received.
///
/// Every subscriber takes each delta once and in order; a delta all have taken is forgotten. When too much is kept
/// the oldest is dropped, and subscribers that have not got so far must catch up otherwise.
struct ResultLog: Sendable {
    private struct Entry: Sendable {
        let delta: ResultDelta
        /// How many subscribers have yet to take it.
        var waitingCount: Int
        /// The memory of its documents, once one stream has taken it and others have not.
        var memory: HeldChanges?
    }

    private let changeMax: Int
    private let byteCountMax: Int
    private var entries: [Entry] = []
    /// The number of the first entry, counted from the beginning of the live result.
    private var firstNumber = 0
    /// The number of the entry each subscriber takes next.
    private var nextNumbers: [Int: Int] = [:]
    private var lastSubscriber = 0
    private var changeCount = 0
    private var byteCount = 0
    /// The number of the first entry whose memory is not counted yet.
    private var firstUncounted = 0
    /// The log says nothing of what happened up to here to those who do not know it yet.
    private(set) var lostThrough = Timestamp(microseconds: .min)

    init(changeMax: Int, byteCountMax: Int) {
        self.changeMax = changeMax
        self.byteCountMax = byteCountMax
    }

    /// Adds a subscriber, who takes everything from now on.
    mutating func subscribe() -> Int {
        lastSubscriber += 1
        nextNumbers[lastSubscriber] = firstNumber + entries.count
        return lastSubscriber
    }

    mutating func unsubscribe(_ subscriber: Int) {
        _ = take(subscriber, through: Timestamp(microseconds: .max))
        nextNumbers[subscriber] = nil
    }

    mutating func append(_ delta: ResultDelta) {
        guard !delta.isEmpty, !nextNumbers.isEmpty else { return }
        entries.append(Entry(delta: delta, waitingCount: nextNumbers.count))
        changeCount += max(1, delta.changes.count)
        byteCount += delta.heldByteCount
        loseFirst { $0.changeCount > $0.changeMax }
    }

    /// Bounds the memory of what is kept for slower subscribers, when one has taken what it came for.
    mutating func bound(by memory: ChangeMemory) {
        loseFirst { $0.byteCount > $0.byteCountMax }
        for index in entries.indices.dropFirst(max(0, firstUncounted - firstNumber)) {
            guard let held = memory.hold(entries[index].delta.heldByteCount) else {
                return loseFirst { !$0.entries.isEmpty }
            }
            entries[index].memory = held
        }
        firstUncounted = firstNumber + entries.count
    }

    /// Forgets all, because what happened up to a time is not known.
    mutating func lose(through time: Timestamp) {
        dropFirst(entries.count)
        lostThrough = max(lostThrough, time)
    }

    private mutating func loseFirst(while isTooMuch: (ResultLog) -> Bool) {
        while let first = entries.first, isTooMuch(self) {
            lostThrough = max(lostThrough, first.delta.time)
            dropFirst(1)
        }
    }

    /// Takes a subscriber's deltas up to a time.
    mutating func take(_ subscriber: Int, through time: Timestamp) -> [ResultDelta] {
        guard let nextNumber = nextNumbers[subscriber] else { return [] }
        var index = max(0, nextNumber - firstNumber)
        var deltas: [ResultDelta] = []
        while index < entries.count, entries[index].delta.time <= time {
            deltas.append(entries[index].delta)
            entries[index].waitingCount -= 1
            index += 1
        }
        nextNumbers[subscriber] = firstNumber + index
        forgetTaken()
        return deltas
    }

    private mutating func forgetTaken() {
        dropFirst(entries.prefix { $0.waitingCount <= 0 }.count)
    }

    private mutating func dropFirst(_ count: Int) {
        guard count > 0 else { return }
        for entry in entries.prefix(count) {
            changeCount -= max(1, entry.delta.changes.count)
            byteCount -= entry.delta.heldByteCount
        }
        entries.removeFirst(count)
        firstNumber += count
    }
}

/// The effect of one or several commits on one document of a live result.
struct ResultChange: Sendable, Equatable {
    let path: DocumentPath
    /// As it is now, with only the live result's fields; `nil` when it does not exist.
    let document: Document?
    let wasIn: Bool
    let isIn: Bool
    /// Whether the document itself changed; else it moved because others did.
    let hasChanged: Bool

    init(path: DocumentPath, document: Document?, wasIn: Bool, isIn: Bool, hasChanged: Bool = true) {
        self.path = path
        self.document = document
        self.wasIn = wasIn
        self.isIn = isIn
        self.hasChanged = hasChanged
    }

    /// A document of an initial result; for a missing one, that it is missing.
    init(initial document: Document?, at path: DocumentPath) {
        self.init(path: path, document: document, wasIn: document == nil, isIn: document != nil)
    }
}

/// The effect of one commit on a live result.
struct ResultDelta: Sendable {
    let time: Timestamp
    /// Whether the live result was emptied before the changes.
    let isReset: Bool
    let changes: [ResultChange]

    init(time: Timestamp, isReset: Bool = false, changes: [ResultChange]) {
        self.time = time
        self.isReset = isReset
        self.changes = changes
    }

    var heldByteCount: Int { changes.reduce(0) { $0 + ($1.document?.heldByteCount ?? 0) } }

    var isEmpty: Bool { !isReset && changes.isEmpty }
}
