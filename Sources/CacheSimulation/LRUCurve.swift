// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The hits of caches of every size that drop the least recently asked for, from one pass over a trace.
///
/// Hits are counted exactly for the sizes that were asked for, and for 1,024 sizes from each power of two to the next. Caches
/// smaller than the largest object are reported with fewer hits than they have, see ``StackDistances``; run them by themselves.
package struct LRUCurve: Sendable {
    private var distances = StackDistances()
    private let sizes: [Int]
    /// Hits by the first of `sizes` that has them.
    private var bySize: [Hits]
    /// Hits by the smallest cache that has them.
    private var buckets: [Hits] = []
    private var requests = Hits()
    /// The largest object so far.
    private(set) var largestByteCount = 0
    private struct Hits: Sendable {
        var count: Int64 = 0
        var byteCount: Int64 = 0

        mutating func add(_ other: Hits) {
            count += other.count
            byteCount += other.byteCount
        }
    }

    /// Creates a curve that is exact at these sizes besides.
    package init(sizes: [Int] = []) {
        self.sizes = sizes.sorted()
        bySize = Array(repeating: Hits(), count: sizes.count + 1)
    }

    /// Takes in the next requests.
    package mutating func take(_ block: TraceBlock) {
        for request in block.requests {
            let byteCount = request.byteCount
            let hit = Hits(count: 1, byteCount: Int64(byteCount))
            requests.add(hit)
            largestByteCount = max(largestByteCount, Int(byteCount))
            let distance = distances.distance(of: Int(request.object), byteCount: byteCount)
            guard distance != StackDistances.never else { continue }
            bySize[firstSize(atLeast: distance)].add(hit)
            let bucket = LogBuckets.bucket(of: distance)
            while buckets.count <= bucket { buckets.append(Hits()) }
            buckets[bucket].add(hit)
        }
    }

    /// The answers of a cache of one of the requested sizes.
    package func tally(at size: Int) -> CacheTally {
        guard let index = sizes.lastIndex(of: size) else { preconditionFailure("\(size) was not asked for") }
        return tally(bySize[...index])
    }

    /// The answers of caches of growing sizes, one for each change; the last has all that can be had.
    package var steps: [(byteCountMax: Int, tally: CacheTally)] {
        var sum = Hits()
        return buckets.indices.compactMap { bucket in
            guard buckets[bucket].count > 0 else { return nil }
            sum.add(buckets[bucket])
            return (LogBuckets.upperBound(of: bucket), tally([sum]))
        }
    }

    private func tally(_ hits: some Sequence<Hits>) -> CacheTally {
        let sum = hits.reduce(into: Hits()) { $0.add($1) }
        var tally = CacheTally()
        tally.requestCount = requests.count
        tally.byteCount = requests.byteCount
        tally.hitCount = sum.count
        tally.hitByteCount = sum.byteCount
        return tally
    }

    private func firstSize(atLeast distance: Int) -> Int {
        var (low, high) = (0, sizes.count)
        while low < high {
            let middle = (low + high) / 2
            if sizes[middle] < distance { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Buckets of numbers, about a thousandth wide, as HDR histograms have them: 1,024 from each power of two to the next.
///
/// Two sums by bucket add up to that of both.
package enum LogBuckets {
    private static let mantissaBits = 10

    /// The bucket of a positive number: it holds those above the bound of the one before, up to its own.
    package static func bucket(of number: Int) -> Int {
        let below = number - 1
        let shift = max(0, Int.bitWidth - 1 - (below | 1).leadingZeroBitCount - mantissaBits)
        return shift << mantissaBits + below >> shift
    }

    /// The largest number of a bucket.
    package static func upperBound(of bucket: Int) -> Int {
        let shift = max(0, bucket >> mantissaBits - 1)
        return (bucket - shift << mantissaBits + 1) << shift
    }
}
