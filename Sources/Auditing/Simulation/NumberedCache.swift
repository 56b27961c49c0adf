// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// A cache of sizes, whose keys are numbers: the table of FeedClient's caches without texts.
struct NumberedCache<Value: Sendable>: Sendable {
    private struct Entry {
        let key: Int
        var value: Value
    }

    private var slots: CacheSlots
    private var slotByKey = KeyMarks()
    private var entryBySlot: [Entry?] = []

    init(byteCountMax: Int, policy: CachePolicyChoice) {
        slots = CacheSlots(byteCountMax: byteCountMax, policy: policy)
    }

    /// The most bytes of all entries together.
    var byteCountMax: Int { slots.byteCountMax }

    /// The keys held, and their values, in no order.
    var entries: [(key: Int, value: Value)] { entryBySlot.compactMap { $0.map { ($0.key, $0.value) } } }

    /// The value of a key, without a word to the policy.
    subscript(_ key: Int) -> Value? { slotByKey[key].flatMap { entryBySlot[$0]?.value } }

    /// Reports a request for a key to the policy, if it is held.
    mutating func touch(_ key: Int) {
        if let slot = slotByKey[key] { slots.touch(slot) }
    }

    /// Puts in an entry, or one in place of another of the same key.
    mutating func insert(_ key: Int, id: UInt64, value: Value, byteCount: Int) {
        remove(key)
        let insertion = slots.insert(id: id, byteCount: byteCount)
        for slot in insertion.evicted { forget(slot) }
        guard let slot = insertion.slot else { return }
        while entryBySlot.count <= slot { entryBySlot.append(nil) }
        entryBySlot[slot] = Entry(key: key, value: value)
        slotByKey.insert(key, value: slot)
    }

    /// Gives an entry another value of the same size.
    mutating func replace(_ key: Int, with value: Value) {
        if let slot = slotByKey[key] { entryBySlot[slot]?.value = value }
    }

    /// Takes an entry out.
    mutating func remove(_ key: Int) {
        guard let slot = slotByKey[key] else { return }
        slots.remove(slot)
        forget(slot)
    }

    /// Empties the cache.
    mutating func removeAll() {
        slots.removeAll()
        slotByKey.removeAll()
        entryBySlot.removeAll(keepingCapacity: true)
    }

    private mutating func forget(_ slot: Int) {
        guard let entry = entryBySlot[slot] else { return }
        slotByKey.remove(entry.key)
        entryBySlot[slot] = nil
    }
}
