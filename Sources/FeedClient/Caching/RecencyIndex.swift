// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A table of entries within an exact byte limit that drops the entries with the lowest tickets first.
///
/// A ticket says when an entry was *asked for*; entries may arrive in any other order. What is kept is always the
/// longest run of latest tickets that fits, so it does not depend on the order of arrival: a ticket at or below the
/// `floor`, the highest one ever dropped, is refused although there might be room for it again.
///
/// Lookups and insertions of the latest ticket take constant time; an entry that arrives late walks past those
/// that overtook it.
package struct RecencyIndex<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var key: String
        var value: Value
        var byteCount: Int
    }

    /// The most bytes of all entries together.
    package let byteCountMax: Int
    /// The bytes of all entries.
    package private(set) var byteCount = 0
    private var floor: UInt64 = 0
    private var entries: [Entry?] = []
    private var order = TicketOrder()
    private var freeSlots: [Int] = []
    private var slotByKey: [String: Int] = [:]

    /// Creates an empty table.
    package init(byteCountMax: Int) {
        precondition(byteCountMax > 0, "a cache needs room for at least one byte (has \(byteCountMax))")
        self.byteCountMax = byteCountMax
    }

    /// The number of entries.
    package var count: Int { slotByKey.count }

    /// The keys from the lowest ticket to the highest.
    package var keysFromOldest: [String] { order.slotsFromOldest.compactMap { entries[$0]?.key } }

    /// The value of a key, which becomes the latest.
    package mutating func touch(_ key: String, ticket: UInt64) -> Value? {
        guard let slot = slotByKey[key] else { return nil }
        order.move(slot, to: ticket)
        return entries[slot]?.value
    }

    /// Whether an entry would be taken, for callers that must do costly work before inserting it.
    package func admits(byteCount: Int, ticket: UInt64) -> Bool { byteCount <= byteCountMax && ticket > floor }

    /// Adds or replaces an entry and returns the values that had to go, lowest ticket first.
    ///
    /// The entry itself is not taken when it is larger than the limit or its ticket is at or below the floor.
    package mutating func insert(_ key: String, _ value: Value, byteCount: Int, ticket: UInt64) -> [Value] {
        guard admits(byteCount: byteCount, ticket: ticket) else { return [] }
        let entry = Entry(key: key, value: value, byteCount: byteCount)
        if let slot = slotByKey[key] {
            self.byteCount -= entries[slot]?.byteCount ?? 0
            entries[slot] = entry
            order.move(slot, to: ticket)
        } else {
            let slot = freeSlots.popLast() ?? entries.endIndex
            if slot == entries.endIndex { entries.append(entry) } else { entries[slot] = entry }
            slotByKey[key] = slot
            order.link(slot, ticket: ticket)
        }
        self.byteCount += byteCount
        return dropOldestBeyondLimit()
    }

    /// Removes an entry and returns its value.
    package mutating func remove(_ key: String) -> Value? { slotByKey[key].flatMap { remove(at: $0) } }

    /// Removes all entries and refuses those that were asked for up to this ticket.
    package mutating func removeAll(upTo ticket: UInt64) {
        self = Self(byteCountMax: byteCountMax)
        floor = ticket
    }

    private mutating func dropOldestBeyondLimit() -> [Value] {
        var dropped: [Value] = []
        while byteCount > byteCountMax, let oldest = order.oldest {
            floor = max(floor, oldest.ticket)
            if let value = remove(at: oldest.slot) { dropped.append(value) }
        }
        return dropped
    }

    private mutating func remove(at slot: Int) -> Value? {
        guard let entry = entries[slot] else { return nil }
        order.unlink(slot)
        entries[slot] = nil
        slotByKey[entry.key] = nil
        freeSlots.append(slot)
        byteCount -= entry.byteCount
        return entry.value
    }
}
