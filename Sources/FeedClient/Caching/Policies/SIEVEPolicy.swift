// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// First in, first out, but what was asked for since the hand last came by is passed over.
///
/// After Zhang, Yang, Yue, Vigfusson and Rashmi, "SIEVE is Simpler than LRU" (NSDI 2024).
public struct SIEVEPolicy: CachePolicy {
    private var list = SlotList()
    private var isVisited: [Bool] = []
    private var hand: Int?

    /// Creates the policy of an empty cache.
    public init() {}

    /// Puts the entry last in the row.
    public mutating func insert(_ entry: CacheEntry) {
        list.insertNewest(entry.slot)
        while isVisited.count <= entry.slot { isVisited.append(false) }
        isVisited[entry.slot] = false
    }

    /// Marks the entry as visited.
    public mutating func touch(_ slot: Int) { isVisited[slot] = true }

    /// Takes the entry out of the row.
    public mutating func remove(_ slot: Int) {
        if hand == slot { hand = list.newer(than: slot) }
        list.remove(slot)
    }

    /// Chooses the first entry from the hand on that was not visited.
    public mutating func evict() -> Int? {
        guard var slot = hand ?? list.oldest else { return nil }
        while isVisited[slot] {
            isVisited[slot] = false
            guard let next = list.newer(than: slot) ?? list.oldest else { return nil }
            slot = next
        }
        hand = list.newer(than: slot)
        list.remove(slot)
        return slot
    }
}
