// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient

/// A cache that holds sizes instead of bytes, under one of the policies that the client caches with.
///
/// An object whose size is another than before is another object (an image has a generation for each change of its bytes): the
/// old one goes, the new one is a miss.
struct SimulatedCache<Policy: CachePolicy>: Sendable {
    /// No object is so large, or else it is never held.
    private static var notHeld: UInt32 { .max }

    private let byteCountMax: Int
    private var policy: Policy
    private var occupied = 0
    /// The bytes of each object that is held.
    private var held: [UInt32] = []
    private(set) var tally = CacheTally()
    /// Means nothing; it is kept so that the compiler keeps what it was made of.
    private var warmth: UInt32 = 0

    init(byteCountMax: Int, policy: Policy) {
        precondition(byteCountMax > 0, "a cache needs room for at least one byte (has \(byteCountMax))")
        self.byteCountMax = byteCountMax
        self.policy = policy
    }

    /// Asks for each object of a block, and keeps those that were missing.
    mutating func ask(for block: TraceBlock) {
        warmUp(for: block)
        var part = CacheTally()
        for request in block.requests {
            let byteCount = Int64(request.byteCount)
            part.byteCount += byteCount
            if ask(for: Int(request.object), byteCount: request.byteCount) {
                part.hitCount += 1
                part.hitByteCount += byteCount
            }
        }
        part.requestCount = Int64(block.requests.count)
        tally.add(part)
    }

    /// Has the processor fetch what is known of the block's objects, many at a time instead of one after the other.
    private mutating func warmUp(for block: TraceBlock) {
        let newCount = block.lastObject + 1 - held.count
        if newCount > 0 { held.append(contentsOf: repeatElement(Self.notHeld, count: newCount)) }
        var sum: UInt32 = 0
        for request in block.requests { sum &+= held[Int(request.object)] }
        warmth = sum
    }

    /// True for a hit.
    private mutating func ask(for object: Int, byteCount: UInt32) -> Bool {
        let heldByteCount = held[object]
        if heldByteCount != Self.notHeld {
            if heldByteCount == byteCount {
                policy.touch(object)
                return true
            }
            policy.remove(object)
            forget(object)
        }
        insert(object, size: byteCount)
        return false
    }

    private mutating func insert(_ object: Int, size: UInt32) {
        let (id, byteCount) = (UInt64(object), Int(size))
        guard byteCount <= byteCountMax, size != Self.notHeld, policy.admits(id: id, byteCount: byteCount) else {
            return
        }
        while occupied + byteCount > byteCountMax, let victim = policy.evict() { forget(victim) }
        policy.insert(CacheEntry(slot: object, id: id, byteCount: byteCount))
        held[object] = size
        occupied += byteCount
    }

    private mutating func forget(_ object: Int) {
        occupied -= Int(held[object])
        held[object] = Self.notHeld
    }
}

/// A policy that a trace can be compared with: one of the client's, or the one that knows the future.
package enum SimulatedPolicy: Sendable, Hashable {
    /// One that the client caches with.
    case client(CachePolicyChoice)
    /// The one that knows the future, see ``BeladyCache``.
    case belady

    /// All of them, in the order in which reports show them.
    package static let all = CachePolicyChoice.all.map(Self.client) + [.belady]

    /// The policy's name, such as `sieve`.
    package var name: String {
        switch self {
        case .client(let choice): choice.name
        case .belady: "belady"
        }
    }

    /// Finds a policy by its name; `nil` where there is none.
    package init?(named name: String) {
        guard let policy = Self.all.first(where: { $0.name == name }) else { return nil }
        self = policy
    }
}
