// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The miss ratios of policies over sizes of the cache.
///
/// Of several traces each has a cache of its own, as users' phones do; what they answer is added up.
package struct MissRatioCurves: Sendable, Hashable {
    /// One policy at one size.
    package struct Point: Sendable, Hashable {
        /// The policy.
        package let policy: SimulatedPolicy
        /// The size of each cache.
        package let byteCountMax: Int
        /// The caches' answers.
        package internal(set) var tally = CacheTally()
    }

    /// LRU at more sizes than these is computed in one pass for all of them.
    static let lruRunCountMax = 2

    /// Each policy at each size, in the order of the policies.
    package private(set) var points: [Point]

    /// Holds policies against traces at sizes.
    package init(of traces: [any RequestTrace], policies: [SimulatedPolicy], sizes: [Int]) throws {
        points = policies.flatMap { policy in sizes.map { Point(policy: policy, byteCountMax: $0) } }
        for trace in traces { try add(trace, sizes: sizes) }
    }

    private mutating func add(_ trace: any RequestTrace, sizes: [Int]) throws {
        let isCurve = points.count { $0.policy == .client(.lru) } > Self.lruRunCountMax
        guard isCurve else { return try run(trace, at: points.indices) }
        var (copy, block) = (trace, TraceBlock())
        var curve = LRUCurve(sizes: sizes)
        while try copy.read(&block) { curve.take(block) }
        let isTold = points.map { $0.policy == .client(.lru) && $0.byteCountMax >= curve.largestByteCount }
        for index in points.indices where isTold[index] {
            points[index].tally.add(curve.tally(at: points[index].byteCountMax))
        }
        try run(trace, at: points.indices.filter { !isTold[$0] })
    }

    private mutating func run(_ trace: any RequestTrace, at indices: some Collection<Int>) throws {
        guard !indices.isEmpty else { return }
        let runs = indices.map { CacheReplay(points[$0].policy, byteCountMax: points[$0].byteCountMax) }
        var (trace, block) = (trace, TraceBlock())
        while try trace.read(&block) {
            for run in runs { run.take(block) }
        }
        for (index, run) in zip(indices, runs) { points[index].tally.add(run.tally) }
    }
}
