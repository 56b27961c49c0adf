// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Testing

@testable import CacheSimulation

@Suite struct LRUCurveTests {
    private let requests = randomRequests(seed: 7, count: 60_000, objectCount: 3_000, byteCountMax: 5_000)

    private func curve(sizes: [Int] = []) -> LRUCurve {
        var curve = LRUCurve(sizes: sizes)
        var (trace, block) = (trace(of: requests), TraceBlock())
        while trace.read(&block) { curve.take(block) }
        return curve
    }

    @Test func `is what a cache of each size answers`() throws {
        let sizes = [5_000, 5_001, 77_777, 1_000_000, 5_000_000, 20_000_000]
        let curve = curve(sizes: sizes)
        for size in sizes {
            #expect(curve.tally(at: size) == (try tally(of: trace(of: requests), .client(.lru), byteCountMax: size)))
        }
    }

    @Test func `is exact at each of its steps`() throws {
        let steps = curve().steps.filter { $0.byteCountMax >= 5_000 }
        #expect(steps.count > 1_000)
        for step in [0, 1, steps.count / 3, steps.count / 2, steps.count - 2, steps.count - 1].map({ steps[$0] }) {
            let expected = try tally(of: trace(of: requests), .client(.lru), byteCountMax: step.byteCountMax)
            #expect(step.tally == expected, "\(step.byteCountMax) bytes")
        }
        #expect(steps.map(\.byteCountMax) == steps.map(\.byteCountMax).sorted())
    }

    @Test func `its last step has all that can be had`() throws {
        let summary = try TraceSummary(of: [trace(of: requests)])
        let last = try #require(curve().steps.last)
        #expect(last.tally.missByteCount == summary.footprintByteCount)
        #expect(last.tally.requestCount - last.tally.hitCount == summary.objectCount)
    }

    @Test func `sizes below the largest object are run by themselves`() throws {
        let sizes = [100, 1_000, 3_000, 4_999, 5_000, 100_000]
        let curves = try MissRatioCurves(
            of: [trace(of: requests)],
            policies: [.client(.lru), .client(.sieve)],
            sizes: sizes
        )
        #expect(curves.points.map(\.byteCountMax) == sizes + sizes)
        for point in curves.points {
            let expected = try tally(of: trace(of: requests), point.policy, byteCountMax: point.byteCountMax)
            #expect(point.tally == expected, "\(point.policy.name), \(point.byteCountMax) bytes")
        }
    }

    @Test func `each of several traces has a cache of its own`() throws {
        let other = randomRequests(seed: 8, count: 10_000, objectCount: 500, byteCountMax: 900)
        let both = try MissRatioCurves(
            of: [trace(of: requests), trace(of: other)],
            policies: [.client(.lru)],
            sizes: [50_000]
        )
        var expected = try tally(of: trace(of: requests), .client(.lru), byteCountMax: 50_000)
        expected.add(try tally(of: trace(of: other), .client(.lru), byteCountMax: 50_000))
        #expect(both.points.map(\.tally) == [expected])
    }

    @Test func `distances are the bytes of distinct objects, the object's own included`() {
        var distances = StackDistances()
        let asked = [(0, 5), (1, 7), (0, 5), (0, 5), (2, 1), (1, 7), (1, 8), (0, 5)]
        let told = asked.map { distances.distance(of: $0.0, byteCount: UInt32($0.1)) }
        let never = StackDistances.never
        #expect(told == [never, never, 12, 5, never, 13, never, 14])
    }

    @Test func `sums from any place on are those of a plain row`() {
        var plain = (0..<640).map { UInt32($0 % 7) }
        var tree = SumTree(plain, count: 4_096)
        plain.append(contentsOf: repeatElement(0, count: 4_096 - plain.count))
        for place in [0, 3, 15, 16, 255, 256, 639, 4_095] {
            tree.clear(place)
            tree.set(place, to: 100)
            plain[place] = 100
        }
        for place in [0, 1, 15, 16, 17, 254, 255, 256, 257, 639, 640, 4_095] {
            #expect(tree.sum(from: place) == plain[place...].reduce(0) { $0 + Int($1) })
        }
    }
}
