// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import CacheSimulation
import FeedClient

/// What caches of growing sizes would miss of the images that a strategy asks for; each user has a cache.
package struct ImageCurves: Sendable, Hashable {
    /// The sizes that are simulated.
    static let sizeCount = 24
    /// The policies that are drawn.
    static let policies = [SimulatedPolicy.client(.lru), .client(.sieve), .client(.s3FIFO), .client(.gdsf), .belady]

    /// The strategy.
    package let strategy: String
    /// Each policy at each size.
    package let curves: MissRatioCurves

    /// Holds policies against what a strategy's users ask for; `nil` when they ask for nothing.
    package init?(_ strategy: String, of traces: [any RequestTrace]) throws {
        let summary = try TraceSummary(of: traces)
        guard summary.footprintByteCount > 0 else { return nil }
        self.strategy = strategy
        curves = try MissRatioCurves(of: traces, policies: Self.policies, sizes: Self.sizes(for: summary))
    }

    /// Sizes with equal ratios, from a twentieth of all images to all of them.
    private static func sizes(for summary: TraceSummary) -> [Int] {
        let largest = Double(summary.footprintByteCount)
        let sizes = (0..<sizeCount).map { step -> Int in
            // Powers by multiplication: the same on every machine.
            let share = (0..<(sizeCount - 1 - step)).reduce(1.0) { share, _ in share * 0.878 }
            return max(1, Int((largest * share).rounded(.up)))
        }
        return sizes.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
