// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What happened in a view, for those who have not been told yet.
///
/// Every subscriber takes each delta once and in order; a delta all have taken is forgotten. When too much is kept
/// the oldest is dropped, and subscribers that have not got so far must catch up otherwise.
struct ViewLog: Sendable {
    private struct Entry: Sendable {
        let delta: ViewDelta
        /// How many subscribers have yet to take it.
        var waitingCount: Int
    }

    private let changeMax: Int
    private var entries: [Entry] = []
    /// The number of the first entry, counted from the beginning of the view.
    private var firstNumber = 0
    /// The number of the entry each subscriber takes next.
    private var nextNumbers: [Int: Int] = [:]
    private var lastSubscriber = 0
    private var changeCount = 0
    /// The log says nothing of what happened up to here to those who do not know it yet.
    private(set) var lostThrough = Timestamp(microseconds: .min)

    init(changeMax: Int) {
        self.changeMax = changeMax
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

    mutating func append(_ delta: ViewDelta) {
        guard !delta.isEmpty, !nextNumbers.isEmpty else { return }
        entries.append(Entry(delta: delta, waitingCount: nextNumbers.count))
        changeCount += max(1, delta.changes.count)
        var dropCount = 0
        while changeCount > changeMax {
            changeCount -= max(1, entries[dropCount].delta.changes.count)
            lostThrough = max(lostThrough, entries[dropCount].delta.time)
            dropCount += 1
        }
        dropFirst(dropCount)
    }

    /// Forgets all, because what happened up to a time is not known.
    mutating func lose(through time: Timestamp) {
        dropFirst(entries.count)
        changeCount = 0
        lostThrough = max(lostThrough, time)
    }

    /// Takes a subscriber's deltas up to a time.
    mutating func take(_ subscriber: Int, through time: Timestamp) -> [ViewDelta] {
        guard let nextNumber = nextNumbers[subscriber] else { return [] }
        var index = max(0, nextNumber - firstNumber)
        var deltas: [ViewDelta] = []
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
        let count = entries.prefix { $0.waitingCount <= 0 }.count
        for entry in entries.prefix(count) {
            changeCount -= max(1, entry.delta.changes.count)
        }
        dropFirst(count)
    }

    private mutating func dropFirst(_ count: Int) {
        guard count > 0 else { return }
        entries.removeFirst(count)
        firstNumber += count
    }
}
