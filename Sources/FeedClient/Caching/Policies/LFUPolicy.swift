// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The least often asked for goes first; of equally often asked for, what was asked for longest ago.
public struct LFUPolicy: CachePolicy {
    private var heap = SlotHeap()
    private var visitCounts: [UInt32] = []

    /// Creates the policy of an empty cache.
    public init() {}

    /// Counts the first visit.
    public mutating func insert(_ entry: CacheEntry) {
        while visitCounts.count <= entry.slot { visitCounts.append(0) }
        visitCounts[entry.slot] = 1
        heap.insert(entry.slot, rank: 1)
    }

    /// Counts the visit.
    public mutating func touch(_ slot: Int) {
        visitCounts[slot] &+= 1
        heap.remove(slot)
        heap.insert(slot, rank: Double(visitCounts[slot]))
    }

    /// Forgets the entry.
    public mutating func remove(_ slot: Int) { heap.remove(slot) }

    /// Chooses the entry of the fewest visits.
    public mutating func evict() -> Int? {
        guard let slot = heap.lowest?.slot else { return nil }
        heap.remove(slot)
        return slot
    }
}
