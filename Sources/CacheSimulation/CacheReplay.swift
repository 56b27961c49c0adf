// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// One policy at one size, driven through a trace.
package final class CacheReplay {
    /// The policy.
    package let policy: SimulatedPolicy
    /// The cache's size.
    package let byteCountMax: Int
    private let step: (TraceBlock) -> CacheTally
    /// The cache's answers so far.
    package private(set) var tally = CacheTally()

    /// Creates a run with an empty cache.
    package init(_ policy: SimulatedPolicy, byteCountMax: Int) {
        self.policy = policy
        self.byteCountMax = byteCountMax
        switch policy {
        case .client(let choice):
            step = Self.step(choice.policy(byteCountMax: byteCountMax), byteCountMax: byteCountMax)
        case .belady:
            var cache = BeladyCache(byteCountMax: byteCountMax)
            step = { block in
                cache.ask(for: block)
                return cache.tally
            }
        }
    }

    /// Takes in the next requests.
    package func take(_ block: TraceBlock) { tally = step(block) }

    /// A step of its own for each policy that comes with the client: calls by way of a protocol take much longer.
    private static func step(_ policy: any CachePolicy, byteCountMax: Int) -> (TraceBlock) -> CacheTally {
        switch policy {
        case let policy as FIFOPolicy: specialized(policy, byteCountMax: byteCountMax)
        case let policy as LRUPolicy: specialized(policy, byteCountMax: byteCountMax)
        case let policy as LFUPolicy: specialized(policy, byteCountMax: byteCountMax)
        case let policy as SIEVEPolicy: specialized(policy, byteCountMax: byteCountMax)
        case let policy as S3FIFOPolicy: specialized(policy, byteCountMax: byteCountMax)
        case let policy as WTinyLFUPolicy: specialized(policy, byteCountMax: byteCountMax)
        case let policy as ARCPolicy: specialized(policy, byteCountMax: byteCountMax)
        case let policy as GDSFPolicy: specialized(policy, byteCountMax: byteCountMax)
        default: specialized(policy, byteCountMax: byteCountMax)
        }
    }

    private static func specialized<Policy: CachePolicy>(
        _ policy: Policy,
        byteCountMax: Int
    ) -> (TraceBlock) -> CacheTally {
        var cache = SimulatedCache(byteCountMax: byteCountMax, policy: policy)
        return { block in
            cache.ask(for: block)
            return cache.tally
        }
    }
}

/// The answers of a cache to a trace.
package struct CacheTally: Sendable, Hashable, Codable {
    /// The requests.
    package var requestCount: Int64 = 0
    /// The requests that the cache answered.
    package var hitCount: Int64 = 0
    /// The bytes asked for.
    package var byteCount: Int64 = 0
    /// The bytes that the cache answered.
    package var hitByteCount: Int64 = 0

    /// Creates a tally of nothing.
    package init() {}

    /// The bytes that the cache did not answer.
    package var missByteCount: Int64 { byteCount - hitByteCount }

    /// Requests that the cache did not answer, as a share of all; 0 when there were none.
    package var missRatio: Double { Self.missShare(hitCount, of: requestCount) }

    /// Bytes that the cache did not answer, as a share of all; 0 when there were none.
    package var byteMissRatio: Double { Self.missShare(hitByteCount, of: byteCount) }

    /// Adds what another cache answered.
    package mutating func add(_ other: Self) {
        requestCount += other.requestCount
        hitCount += other.hitCount
        byteCount += other.byteCount
        hitByteCount += other.hitByteCount
    }

    private static func missShare(_ hits: Int64, of all: Int64) -> Double {
        all == 0 ? 0 : Double(all - hits) / Double(all)
    }
}
