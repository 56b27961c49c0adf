// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Slots in a row, newest first: a doubly linked list in an array, every step of which takes constant time.
struct SlotList: Sendable {
    /// A slot's neighbours in the row.
    private struct Links: Sendable {
        var newer: Int32
        var older: Int32
    }

    private static let none: Int32 = -1

    private var links: [Links] = []
    private var newestSlot = none
    private var oldestSlot = none

    /// The slot that was put in first.
    var oldest: Int? { Self.slot(oldestSlot) }

    /// The slot that was put in next after this one.
    func newer(than slot: Int) -> Int? { Self.slot(links[slot].newer) }

    mutating func insertNewest(_ slot: Int) {
        while links.count <= slot { links.append(Links(newer: Self.none, older: Self.none)) }
        let link = Int32(truncatingIfNeeded: slot)
        links[slot] = Links(newer: Self.none, older: newestSlot)
        if newestSlot == Self.none { oldestSlot = link } else { links[Int(newestSlot)].newer = link }
        newestSlot = link
    }

    mutating func remove(_ slot: Int) {
        let place = links[slot]
        if place.newer == Self.none { newestSlot = place.older } else { links[Int(place.newer)].older = place.older }
        if place.older == Self.none { oldestSlot = place.newer } else { links[Int(place.older)].newer = place.newer }
    }

    mutating func moveToNewest(_ slot: Int) {
        guard Int32(truncatingIfNeeded: slot) != newestSlot else { return }
        remove(slot)
        insertNewest(slot)
    }

    private static func slot(_ link: Int32) -> Int? { link == none ? nil : Int(link) }
}

/// The least recently asked for goes first.
public struct LRUPolicy: CachePolicy {
    private var list = SlotList()

    /// Creates the policy of an empty cache.
    public init() {}

    /// Makes the entry the latest.
    public mutating func insert(_ entry: CacheEntry) { list.insertNewest(entry.slot) }

    /// Makes the entry the latest.
    public mutating func touch(_ slot: Int) { list.moveToNewest(slot) }

    /// Takes the entry out of the row.
    public mutating func remove(_ slot: Int) { list.remove(slot) }

    /// Chooses what was asked for longest ago.
    public mutating func evict() -> Int? {
        guard let slot = list.oldest else { return nil }
        list.remove(slot)
        return slot
    }
}

/// First in, first out.
public struct FIFOPolicy: CachePolicy {
    private var list = SlotList()

    /// Creates the policy of an empty cache.
    public init() {}

    /// Puts the entry last in the row.
    public mutating func insert(_ entry: CacheEntry) { list.insertNewest(entry.slot) }

    /// Changes nothing.
    public mutating func touch(_ slot: Int) {}

    /// Takes the entry out of the row.
    public mutating func remove(_ slot: Int) { list.remove(slot) }

    /// Chooses what came first.
    public mutating func evict() -> Int? {
        guard let slot = list.oldest else { return nil }
        list.remove(slot)
        return slot
    }
}
