// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
