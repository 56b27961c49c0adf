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

    private var places: CacheSlots
    private var entryBySlot: [Entry?] = []
    private var slotByKey: [String: Int] = [:]

    /// Creates an empty table.
    package init(byteCountMax: Int, policy: CachePolicyChoice) {
        places = CacheSlots(byteCountMax: byteCountMax, policy: policy)
    }

    /// The most bytes of all entries together.
    package var byteCountMax: Int { places.byteCountMax }

    /// The bytes of all entries.
    package var byteCount: Int { places.byteCount }

    /// The keys held, in alphabetical order.
    package var keys: [String] { slotByKey.keys.sorted() }

    /// The entries held, in no order.
    package var entries: [Entry] { entryBySlot.compactMap(\.self) }

    /// The number of entries.
    package var count: Int { slotByKey.count }

    /// The value of a key, without a word to the policy.
    package subscript(_ key: String) -> Value? { slotByKey[key].flatMap { entryBySlot[$0]?.value } }

    /// Reports a request for a key to the policy, if it is held.
    package mutating func touch(_ key: String) {
        if let slot = slotByKey[key] { places.touch(slot) }
    }

    /// Puts in an entry, or one in place of another of the same key.
    package mutating func insert(_ key: String, value: Value, byteCount: Int) -> Insertion {
        var insertion = Insertion()
        if let old = remove(key) { insertion.dropped.append((key, old)) }
        let inserted = places.insert(id: Self.id(of: key), byteCount: byteCount)
        for slot in inserted.evicted {
            if let entry = forget(slot) { insertion.dropped.append((entry.key, entry.value)) }
        }
        guard let slot = inserted.slot else { return insertion }
        put(Entry(key: key, value: value, byteCount: byteCount), at: slot)
        insertion.isHeld = true
        return insertion
    }

    /// Puts in an entry although the limit may be exceeded, for callers that follow another table.
    mutating func insertWithoutMakingRoom(_ key: String, value: Value, byteCount: Int) {
        remove(key)
        let slot = places.hold(id: Self.id(of: key), byteCount: byteCount)
        put(Entry(key: key, value: value, byteCount: byteCount), at: slot)
    }

    private mutating func put(_ entry: Entry, at slot: Int) {
        while entryBySlot.count <= slot { entryBySlot.append(nil) }
        entryBySlot[slot] = entry
        slotByKey[entry.key] = slot
    }

    private static func id(of key: String) -> UInt64 { FNV1a64.hash(of: key.utf8) }

    /// Gives an entry another value of the same size.
    package mutating func replace(_ key: String, with value: Value) {
        guard let slot = slotByKey[key], let entry = entryBySlot[slot] else { return }
        entryBySlot[slot] = Entry(key: key, value: value, byteCount: entry.byteCount)
    }

    /// Lets the policy drop an entry; returns its key.
    package mutating func evict() -> String? { places.evict().flatMap { forget($0)?.key } }

    /// Takes an entry out and returns its value.
    @discardableResult
    package mutating func remove(_ key: String) -> Value? {
        guard let slot = slotByKey[key] else { return nil }
        places.remove(slot)
        return forget(slot)?.value
    }

    /// Empties the table.
    package mutating func removeAll() {
        places.removeAll()
        entryBySlot = []
        slotByKey = [:]
    }

    private mutating func forget(_ slot: Int) -> Entry? {
        guard let entry = entryBySlot[slot] else { return nil }
        entryBySlot[slot] = nil
        slotByKey[entry.key] = nil
        return entry
    }
}
