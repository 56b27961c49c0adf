// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The places of a cache's entries within an exact byte limit; a policy chooses what goes.
///
/// The contents of a place, and how they are found, are up to the owner: the client finds images by the text of their keys, a simulation
/// by numbers for them.
package struct CacheSlots: Sendable {
    /// The outcome of inserting an entry.
    package struct Insertion: Sendable {
        /// The place; `nil` for an entry larger than the limit, or one that the policy does not admit.
        package var slot: Int?
        /// The places that were evicted, in order; one of them may be the new entry's.
        package var evicted: [Int] = []
    }

    /// The most bytes of all entries together.
    package let byteCountMax: Int
    /// The bytes of all entries.
    package private(set) var byteCount = 0
    private let choice: CachePolicyChoice
    private var policy: any CachePolicy
    private var byteCounts: [Int] = []
    private var freeSlots: [Int] = []

    /// Creates a cache without entries.
    package init(byteCountMax: Int, policy: CachePolicyChoice) {
        precondition(byteCountMax > 0, "a cache needs room for at least one byte (has \(byteCountMax))")
        self.byteCountMax = byteCountMax
        choice = policy
        self.policy = policy.policy(byteCountMax: byteCountMax)
    }

    /// Reports a request for an entry to the policy.
    package mutating func touch(_ slot: Int) { policy.touch(slot) }

    /// Makes room for an entry that is not there; `id` distinguishes it from all others, in every process alike.
    package mutating func insert(id: UInt64, byteCount: Int) -> Insertion {
        var insertion = Insertion()
        guard byteCount <= byteCountMax, policy.admits(id: id, byteCount: byteCount) else { return insertion }
        while self.byteCount + byteCount > byteCountMax, let slot = evict() { insertion.evicted.append(slot) }
        insertion.slot = hold(id: id, byteCount: byteCount)
        return insertion
    }

    /// Puts in an entry although the limit may be exceeded; returns its place.
    mutating func hold(id: UInt64, byteCount: Int) -> Int {
        let slot = freeSlots.popLast() ?? byteCounts.count
        if slot == byteCounts.count { byteCounts.append(0) }
        byteCounts[slot] = byteCount
        self.byteCount += byteCount
        policy.insert(CacheEntry(slot: slot, id: id, byteCount: byteCount))
        return slot
    }

    /// Lets the policy drop an entry; returns its place.
    package mutating func evict() -> Int? {
        guard let slot = policy.evict() else { return nil }
        free(slot)
        return slot
    }

    /// Takes an entry out.
    package mutating func remove(_ slot: Int) {
        policy.remove(slot)
        free(slot)
    }

    /// Takes out all entries.
    package mutating func removeAll() {
        policy = choice.policy(byteCountMax: byteCountMax)
        byteCounts.removeAll(keepingCapacity: true)
        freeSlots.removeAll(keepingCapacity: true)
        byteCount = 0
    }

    private mutating func free(_ slot: Int) {
        byteCount -= byteCounts[slot]
        freeSlots.append(slot)
    }
}
