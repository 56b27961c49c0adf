// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation

/// How often something took how long, to a thousandth; two histograms add up to that of both.
package struct TimeHistogram: Sendable, Hashable, Codable {
    /// Counts by the bucket of the microseconds and one more.
    private var counts: [Int: Int64] = [:]
    /// The times added.
    package private(set) var count: Int64 = 0

    /// Creates a histogram without times.
    package init() {}

    /// Adds a time in nanoseconds.
    mutating func add(_ nanoseconds: Int64) {
        counts[LogBuckets.bucket(of: Int(nanoseconds / 1_000) + 1), default: 0] += 1
        count += 1
    }

    /// Whether its buckets are such as times fall into, and their counts sum to all.
    var isPlausible: Bool {
        counts.allSatisfy {
            (0...LogBuckets.bucket(of: 1 << 53)).contains($0.key) && StrategyPart.range.contains($0.value)
        }
            && counts.count < 1 << 20 && counts.values.reduce(0, &+) == count
    }

    /// Adds the times of another histogram.
    mutating func add(_ other: TimeHistogram) {
        counts.merge(other.counts) { $0 + $1 }
        count += other.count
    }

    /// The least time that this percentage of the times does not exceed; `nil` without times.
    package func milliseconds(atPercent percent: Int64) -> Double? {
        let rank = max(1, (count * percent + 99) / 100)
        var seen: Int64 = 0
        for bucket in counts.keys.sorted() {
            seen += counts[bucket] ?? 0
            if seen >= rank { return Double(LogBuckets.upperBound(of: bucket) - 1) / 1_000 }
        }
        return nil
    }
}
