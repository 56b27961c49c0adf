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
        case .client(let choice): step = Self.step(choice.policy(byteCountMax: byteCountMax), byteCountMax)
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
    private static func step(_ policy: any CachePolicy, _ byteCountMax: Int) -> (TraceBlock) -> CacheTally {
        switch policy {
        case let policy as FIFOPolicy: specialized(policy, byteCountMax)
        case let policy as LRUPolicy: specialized(policy, byteCountMax)
        case let policy as LFUPolicy: specialized(policy, byteCountMax)
        case let policy as SIEVEPolicy: specialized(policy, byteCountMax)
        case let policy as S3FIFOPolicy: specialized(policy, byteCountMax)
        case let policy as WTinyLFUPolicy: specialized(policy, byteCountMax)
        case let policy as ARCPolicy: specialized(policy, byteCountMax)
        case let policy as GDSFPolicy: specialized(policy, byteCountMax)
        default: specialized(policy, byteCountMax)
        }
    }

    private static func specialized<Policy: CachePolicy>(
        _ policy: Policy,
        _ byteCountMax: Int
    ) -> (TraceBlock) -> CacheTally {
        var cache = SimulatedCache(byteCountMax: byteCountMax, policy: policy)
        return { block in
            cache.ask(for: block)
            return cache.tally
        }
    }
}
