// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

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

/// Adds up a simulation's steps by the screens that they show.
struct ScreenTally: Sendable {
    /// The usages, by the names of screens.
    private(set) var usages: [String: ScreenUsage] = [:]
    private var lastNumber: Int?

    /// Takes in a step; with another page size than the recorded one a view has several, one after the other.
    mutating func add(_ led: SimulatedClient.Step, of step: ReplayPlan.Step) {
        defer { lastNumber = step.number }
        guard let screen = step.view.action.screen else { return }
        func add(to usage: inout ScreenUsage) {
            if step.number != lastNumber { usage.viewCount += 1 }
            for exchange in led.exchanges {
                usage.requestCount += 1
                usage.byteCount += Int64(exchange.byteCount)
                usage.documentReads += exchange.billed.documentReads
            }
            for delivery in led.shown + led.prefetched { usage.count(delivery.source) }
        }
        add(to: &usages[screen, default: ScreenUsage()])
    }
}

extension ScreenUsage {
    fileprivate mutating func count(_ source: SimulatedPipeline.Source) {
        switch source {
        case .memory: memoryHits += 1
        case .disk: diskHits += 1
        case .revalidation: revalidatedHits += 1
        case .network: misses += 1
        case .joined, .failed: break
        }
    }
}
