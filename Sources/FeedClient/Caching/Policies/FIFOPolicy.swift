// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
