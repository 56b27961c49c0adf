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
    /// The last deltas taken, for the next who takes the same.
    private var lastTaken: (numbers: Range<Int>, span: ResultSpan)?

    init(changeMax: Int, byteCountMax: Int) {
        self.changeMax = changeMax
        self.byteCountMax = byteCountMax
    }

    /// Whether all of it is sent in no time.
    var isShort: Bool { ListenLimits.areFew(changeCount: changeCount, byteCount: byteCount) }

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

    /// Takes a subscriber's deltas up to a time, and returns those after another.
    mutating func take(
        _ subscriber: Int,
        after position: Timestamp = Timestamp(microseconds: .min),
        through time: Timestamp
    ) -> ResultSpan {
        guard let nextNumber = nextNumbers[subscriber] else { return .empty }
        let first = max(0, nextNumber - firstNumber)
        var end = first
        while end < entries.count, entries[end].delta.time <= time {
            entries[end].waitingCount -= 1
            end += 1
        }
        guard end > first else { return .empty }
        nextNumbers[subscriber] = firstNumber + end
        defer { forgetTaken() }
        guard let start = entries[first..<end].firstIndex(where: { $0.delta.time > position }) else { return .empty }
        return span(start..<end)
    }

    private mutating func span(_ indices: Range<Int>) -> ResultSpan {
        let numbers = firstNumber + indices.lowerBound..<firstNumber + indices.upperBound
        if let lastTaken, lastTaken.numbers == numbers { return lastTaken.span }
        let span = ResultSpan(entries[indices].map(\.delta))
        lastTaken = (numbers, span)
        return span
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
        if let lastTaken, lastTaken.numbers.lowerBound < firstNumber { self.lastTaken = nil }
    }
}
