// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A table of entries within an exact byte limit; a policy chooses what goes.
package struct CacheIndex<Value: Sendable>: Sendable {
    /// The value of a key.
    package struct Entry: Sendable {
        /// The key.
        package let key: String
        /// The value.
        package let value: Value
        /// The bytes that the value takes.
        package let byteCount: Int
    }

    /// The outcome of inserting an entry.
    package struct Insertion: Sendable {
        /// Whether the entry is held now; one larger than the limit is not, nor one that the policy does not admit.
        package var isHeld = false
        /// The evicted values in order; the former value of the same key first.
        package var dropped: [(key: String, value: Value)] = []
    }

    /// The most bytes of all entries together.
    package let byteCountMax: Int
    /// The bytes of all entries.
    package private(set) var byteCount = 0
    private let choice: CachePolicyChoice
    private var policy: any CachePolicy
    private var slots: [Entry?] = []
    private var freeSlots: [Int] = []
    private var slotByKey: [String: Int] = [:]

    /// Creates an empty table.
    package init(byteCountMax: Int, policy: CachePolicyChoice) {
        precondition(byteCountMax > 0, "a cache needs room for at least one byte (has \(byteCountMax))")
        self.byteCountMax = byteCountMax
        choice = policy
        self.policy = policy.policy(byteCountMax: byteCountMax)
    }

    /// The keys held, in alphabetical order.
    package var keys: [String] { slotByKey.keys.sorted() }

    /// The entries held, in no order.
    package var entries: [Entry] { slots.compactMap(\.self) }

    /// The number of entries.
    package var count: Int { slotByKey.count }

    /// The value of a key, without a word to the policy.
    package subscript(_ key: String) -> Value? { slotByKey[key].flatMap { slots[$0]?.value } }

    /// Reports a request for a key to the policy, if it is held.
    package mutating func touch(_ key: String) {
        if let slot = slotByKey[key] { policy.touch(slot) }
    }

    /// Puts in an entry, or one in place of another of the same key.
    package mutating func insert(_ key: String, value: Value, byteCount: Int) -> Insertion {
        var insertion = Insertion()
        if let old = remove(key) { insertion.dropped.append((key, old)) }
        guard byteCount <= byteCountMax, policy.admits(id: Self.id(of: key), byteCount: byteCount) else {
            return insertion
        }
        while self.byteCount + byteCount > byteCountMax, let slot = policy.evict(), let entry = forget(slot) {
            insertion.dropped.append((entry.key, entry.value))
        }
        hold(Entry(key: key, value: value, byteCount: byteCount))
        insertion.isHeld = true
        return insertion
    }

    /// Puts in an entry although the limit may be exceeded, for callers that follow another table.
    mutating func insertWithoutMakingRoom(_ key: String, value: Value, byteCount: Int) {
        remove(key)
        hold(Entry(key: key, value: value, byteCount: byteCount))
    }

    private mutating func hold(_ entry: Entry) {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(nil) }
        slots[slot] = entry
        slotByKey[entry.key] = slot
        byteCount += entry.byteCount
        policy.insert(CacheEntry(slot: slot, id: Self.id(of: entry.key), byteCount: entry.byteCount))
    }

    private static func id(of key: String) -> UInt64 { FNV1a64.hash(of: key.utf8) }

    /// Gives an entry another value of the same size.
    package mutating func replace(_ key: String, with value: Value) {
        guard let slot = slotByKey[key], let entry = slots[slot] else { return }
        slots[slot] = Entry(key: key, value: value, byteCount: entry.byteCount)
    }

    /// Lets the policy drop an entry; returns its key.
    package mutating func evict() -> String? { policy.evict().flatMap { forget($0)?.key } }

    /// Takes an entry out and returns its value.
    @discardableResult
    package mutating func remove(_ key: String) -> Value? {
        guard let slot = slotByKey[key] else { return nil }
        policy.remove(slot)
        return forget(slot)?.value
    }

    /// Empties the table.
    package mutating func removeAll() { self = Self(byteCountMax: byteCountMax, policy: choice) }

    private mutating func forget(_ slot: Int) -> Entry? {
        guard let entry = slots[slot] else { return nil }
        slots[slot] = nil
        slotByKey[entry.key] = nil
        freeSlots.append(slot)
        byteCount -= entry.byteCount
        return entry
    }
}
