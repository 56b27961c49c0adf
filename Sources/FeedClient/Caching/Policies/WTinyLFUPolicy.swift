// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A small window for newcomers, who enter the rest only in place of something that was asked for less often of late.
///
/// After Einziger, Friedman and Manes, "TinyLFU: A Highly Efficient Cache Admission Policy" (ACM ToS 2017): a window of 1 %,
/// the rest a segmented LRU of which 80 % is for what came again. Sizes are bytes.
public struct WTinyLFUPolicy: CachePolicy {
    /// The share of the cache for newcomers.
    static let windowShare = 0.01
    /// The share of the rest for what came again.
    static let protectedShare = 0.8

    private enum Row: Sendable { case window, probation, protected }

    private struct Member: Sendable {
        var id: UInt64 = 0
        var byteCount = 0
        var row = Row.window
    }

    private let windowByteCountMax: Int
    private let mainByteCountMax: Int
    private let protectedByteCountMax: Int
    private var window = SlotList()
    private var probation = SlotList()
    private var protected = SlotList()
    private var windowByteCount = 0
    private var probationByteCount = 0
    private var protectedByteCount = 0
    private var members: [Member] = []
    private var memberCount = 0
    /// The bytes of the newcomer that room is being made for.
    private var incomingByteCount = 0
    private var sketch = FrequencySketch()

    /// Creates the policy of an empty cache of this size.
    public init(byteCountMax: Int) {
        windowByteCountMax = Int(Double(byteCountMax) * Self.windowShare)
        mainByteCountMax = byteCountMax - windowByteCountMax
        protectedByteCountMax = Int(Double(mainByteCountMax) * Self.protectedShare)
    }

    /// Admits everything to the window; counts the request.
    public mutating func admits(id: UInt64, byteCount: Int) -> Bool {
        sketch.add(id)
        incomingByteCount = byteCount
        return true
    }

    /// Puts the entry into the window; what the window has no room for continues while there is room.
    public mutating func insert(_ entry: CacheEntry) {
        while members.count <= entry.slot { members.append(Member()) }
        members[entry.slot] = Member(id: entry.id, byteCount: entry.byteCount)
        put(entry.slot, into: .window)
        incomingByteCount = 0
        memberCount += 1
        sketch.makeRoom(forEntryCount: memberCount)
        while windowByteCount > windowByteCountMax, let slot = window.oldest,
            probationByteCount + protectedByteCount + members[slot].byteCount <= mainByteCountMax
        {
            move(slot, to: .probation)
        }
    }

    /// Makes the entry the latest of its row, or lets it rise to those that came again.
    public mutating func touch(_ slot: Int) {
        sketch.add(members[slot].id)
        switch members[slot].row {
        case .window: window.moveToNewest(slot)
        case .protected: protected.moveToNewest(slot)
        case .probation:
            move(slot, to: .protected)
            while protectedByteCount > protectedByteCountMax, let oldest = protected.oldest {
                move(oldest, to: .probation)
            }
        }
    }

    /// Takes the entry out of its row.
    public mutating func remove(_ slot: Int) {
        take(slot)
        memberCount -= 1
    }

    /// Chooses the less often asked for of the oldest of the window, where the newcomer pushes it out, and the oldest of the rest.
    public mutating func evict() -> Int? {
        let victim = probation.oldest ?? protected.oldest
        guard windowByteCount + incomingByteCount > windowByteCountMax, let candidate = window.oldest else {
            return drop(victim ?? window.oldest)
        }
        guard let victim else { return drop(candidate) }
        guard sketch.count(of: members[candidate].id) > sketch.count(of: members[victim].id) else {
            return drop(candidate)
        }
        move(candidate, to: .probation)
        return drop(victim)
    }

    private mutating func drop(_ slot: Int?) -> Int? {
        if let slot { remove(slot) }
        return slot
    }

    private mutating func move(_ slot: Int, to row: Row) {
        take(slot)
        put(slot, into: row)
    }

    private mutating func put(_ slot: Int, into row: Row) {
        members[slot].row = row
        let byteCount = members[slot].byteCount
        switch row {
        case .window:
            window.insertNewest(slot)
            windowByteCount += byteCount
        case .probation:
            probation.insertNewest(slot)
            probationByteCount += byteCount
        case .protected:
            protected.insertNewest(slot)
            protectedByteCount += byteCount
        }
    }

    private mutating func take(_ slot: Int) {
        let byteCount = members[slot].byteCount
        switch members[slot].row {
        case .window:
            window.remove(slot)
            windowByteCount -= byteCount
        case .probation:
            probation.remove(slot)
            probationByteCount -= byteCount
        case .protected:
            protected.remove(slot)
            protectedByteCount -= byteCount
        }
    }
}
