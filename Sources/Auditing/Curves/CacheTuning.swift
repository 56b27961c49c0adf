// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import CacheSimulation
package import FeedClient

/// The smallest caches that miss hardly more bytes than the best that there is.
package struct CacheTuning: Sendable, Hashable {
    /// How many bytes more than the best a cache may miss, in percent.
    package static let tolerancePercent: Int64 = 1
    /// Each size that is tried first is this many times the one before.
    private static let step = 1.25

    /// The smallest cache of a policy that is good enough.
    package struct Choice: Sendable, Hashable {
        /// The policy.
        package let policy: CachePolicyChoice
        /// The size, of two digits.
        package let byteCountMax: Int
        /// The bytes that the caches of all users miss.
        package let missByteCount: Int64
    }

    /// The bytes that the best policy misses at the best size.
    package let bestMissByteCount: Int64
    /// One choice for each policy, the smallest first.
    package let choices: [Choice]

    /// Tries all policies on what users ask for; `nil` when they ask for nothing.
    package init?(of traces: [any RequestTrace]) throws {
        let summary = try TraceSummary(of: traces)
        guard summary.footprintByteCount > 0 else { return nil }
        let policies = CachePolicyChoice.all
        let sizes = Self.sizes(upTo: Int(summary.footprintByteCount))
        let curves = try MissRatioCurves(of: traces, policies: policies.map(SimulatedPolicy.client), sizes: sizes)
        let best = curves.points.map(\.tally.missByteCount).min() ?? 0
        let limit = best + best * Self.tolerancePercent / 100
        var choices: [Choice] = []
        for policy in policies {
            let points = curves.points.filter { $0.policy == .client(policy) }
            // From there on, every larger size that was tried is good enough, too.
            guard
                let first = points.lastIndex(where: { $0.tally.missByteCount > limit }).map({ $0 + 1 })
                    ?? points.indices.first,
                points.indices.contains(first)
            else { continue }
            let smaller = first == 0 ? 0 : points[first - 1].byteCountMax
            choices.append(try Self.smallest(policy, between: smaller, and: points[first], limit: limit, of: traces))
        }
        bestMissByteCount = best
        // Sorting is stable: among equals, the simpler policy comes first.
        self.choices = choices.sorted { $0.byteCountMax < $1.byteCountMax }
    }

    /// Halves the stretch between a size that is too small and one that is not.
    private static func smallest(
        _ policy: CachePolicyChoice,
        between low: Int,
        and high: MissRatioCurves.Point,
        limit: Int64,
        of traces: [any RequestTrace]
    ) throws -> Choice {
        var (low, choice) = (
            low, Choice(policy: policy, byteCountMax: high.byteCountMax, missByteCount: high.tally.missByteCount)
        )
        while true {
            let half = low + (choice.byteCountMax - low) / 2
            let middle = rounded(half) < choice.byteCountMax ? rounded(half) : rounded(half) - unit(of: half)
            guard middle > low else { return choice }
            let curves = try MissRatioCurves(of: traces, policies: [.client(policy)], sizes: [middle])
            let missed = curves.points[0].tally.missByteCount
            if missed > limit {
                low = middle
            } else {
                choice = Choice(policy: policy, byteCountMax: middle, missByteCount: missed)
            }
        }
    }

    /// Sizes of two digits from a thousandth of all images up to all of them.
    private static func sizes(upTo footprint: Int) -> [Int] {
        var sizes: [Int] = []
        var size = Double(max(10, footprint / 1_000))
        while Int(size) < footprint {
            sizes.append(rounded(Int(size)))
            size *= step
        }
        return sizes.reduce(into: []) { if $0.last != $1 { $0.append($1) } } + [rounded(footprint)]
    }

    /// The next number of two digits and zeros.
    private static func rounded(_ size: Int) -> Int {
        let unit = unit(of: size)
        return (size + unit - 1) / unit * unit
    }

    /// The meaning of a number's second digit.
    private static func unit(of size: Int) -> Int {
        var unit = 1
        while size / unit >= 100 { unit *= 10 }
        return unit
    }
}
