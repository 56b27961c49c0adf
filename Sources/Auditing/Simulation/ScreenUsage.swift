// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// The usage of a screen over all its views; the usages of parts of a log add up.
package struct ScreenUsage: Sendable, Hashable, Codable {
    /// The views.
    package internal(set) var viewCount: Int64 = 0
    /// The requests made for them.
    package internal(set) var requestCount: Int64 = 0
    /// The bytes of the responses' bodies.
    package internal(set) var byteCount: Int64 = 0
    /// The billed document reads.
    package internal(set) var documentReads: Int64 = 0
    /// Images that the cache in memory had.
    package internal(set) var memoryHits: Int64 = 0
    /// Images that the cache on disk had.
    package internal(set) var diskHits: Int64 = 0
    /// Images that a cache had, and whose server said that it has no other.
    package internal(set) var revalidatedHits: Int64 = 0
    /// Images that came from the network.
    package internal(set) var misses: Int64 = 0

    /// All images that a cache had.
    var hits: Int64 { memoryHits + diskHits + revalidatedHits }

    mutating func add(_ other: ScreenUsage) {
        for count in Self.counts { self[keyPath: count] += other[keyPath: count] }
    }

    /// Whether all counts are such as a part of a log can have.
    var isPlausible: Bool { Self.counts.allSatisfy { StrategyPart.range.contains(self[keyPath: $0]) } }

    private static var counts: [WritableKeyPath<ScreenUsage, Int64>] {
        [
            \.viewCount, \.requestCount, \.byteCount, \.documentReads, \.memoryHits, \.diskHits, \.revalidatedHits,
            \.misses,
        ]
    }
}

extension ScreenUsage {
    /// Counts a view, or a further step of one.
    mutating func add(_ step: SimulatedStep, isNew: Bool, in table: ImageTable) {
        if isNew { viewCount += 1 }
        step.forEachCost(in: table) { cost in
            requestCount += 1
            byteCount += Int64(cost.byteCount)
            documentReads += cost.usage.billed.documentReads
        }
        step.forEachDelivery { delivery in
            switch delivery.source {
            case .memory: memoryHits += 1
            case .disk: diskHits += 1
            case .revalidation: revalidatedHits += 1
            case .network: misses += 1
            case .joined, .failed: break
            }
        }
    }
}
