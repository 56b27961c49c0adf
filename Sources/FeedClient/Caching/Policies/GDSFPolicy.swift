// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The large and seldom asked for goes first: an entry's rank is its count of visits by its bytes, plus an inflation that
/// lets what was once popular grow old.
///
/// GreedyDual-Size with Frequency, after Cherkasova, HPL-98-69R1 (1998), every entry costing the same. It finds most
/// *images* in the cache, which is not most *bytes*.
public struct GDSFPolicy: CachePolicy {
    private struct Member: Sendable {
        var byteCount = 0
        var visitCount = 0
    }

    private var heap = SlotHeap()
    private var members: [Member] = []
    private var inflation = 0.0

    /// Creates the policy of an empty cache.
    public init() {}

    /// Ranks the entry as visited once.
    public mutating func insert(_ entry: CacheEntry) {
        while members.count <= entry.slot { members.append(Member()) }
        members[entry.slot] = Member(byteCount: entry.byteCount, visitCount: 1)
        heap.insert(entry.slot, rank: rank(of: entry.slot))
    }

    /// Ranks the entry again.
    public mutating func touch(_ slot: Int) {
        members[slot].visitCount += 1
        heap.remove(slot)
        heap.insert(slot, rank: rank(of: slot))
    }

    /// Forgets the entry.
    public mutating func remove(_ slot: Int) { heap.remove(slot) }

    /// Chooses the entry of the lowest rank, which becomes the inflation.
    public mutating func evict() -> Int? {
        guard let (slot, rank) = heap.lowest else { return nil }
        inflation = rank
        remove(slot)
        return slot
    }

    private func rank(of slot: Int) -> Double {
        inflation + Double(members[slot].visitCount) / Double(max(1, members[slot].byteCount))
    }
}
