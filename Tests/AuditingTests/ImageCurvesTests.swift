// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation
import Testing

@testable import Auditing

struct ImageCurvesTests {
    /// A user's requests: objects of 40 to 60 kB, asked for in turn and again.
    private static func trace(objects: Int, rounds: Int) -> ListedTrace {
        var trace = ListedTrace()
        for _ in 0..<rounds {
            for object in 0..<objects { trace.append(object, byteCount: 40_000 + 1_000 * (object % 20)) }
        }
        return trace
    }

    private static let traces = [
        trace(objects: 30, rounds: 3), trace(objects: 400, rounds: 2), trace(objects: 2, rounds: 9),
    ]

    @Test func `the curves of parts add up to those of the whole`() throws {
        let whole = try #require(try ImageCurves("s", of: Self.traces))
        for split in [[[0], [1], [2]], [[2], [1, 0]], [[1], [0, 2]], [[0, 1, 2]]] {
            var merged: ImageCurves?
            for part in split {
                let curves = try #require(try ImageCurves("s", of: part.map { Self.traces[$0] }, .whole))
                #expect(curves.isPlausible)
                if merged == nil { merged = curves } else { merged?.add(curves) }
            }
            #expect(merged?.sizes == whole.sizes)
            #expect(merged?.drawnLines == whole.drawnLines)
        }
    }

    @Test func `from a twentieth of what the user who asks for most asks for to all of it`() throws {
        let curves = try #require(try ImageCurves("s", of: Self.traces))
        let footprint = (0..<400).reduce(0) { $0 + 40_000 + 1_000 * ($1 % 20) }
        #expect(curves.sizes.first.map { $0 >= footprint / 20 && $0 < footprint / 15 } == true)
        #expect(curves.sizes.last.map { $0 >= footprint && $0 < footprint * 13 / 10 } == true)
        for line in curves.drawnLines {
            #expect(line.tallies.count == curves.sizes.count)
            // Everything fits: only what is asked for the first time is missed.
            #expect(line.tallies.last.map { $0.requestCount - $0.hitCount } == 432)
        }
    }

    @Test func `who asks for nothing has no curve`() throws {
        #expect(try ImageCurves("s", of: []) == nil)
    }
}
