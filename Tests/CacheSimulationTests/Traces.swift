// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation
import SeededRandom

/// Requests of a seed: a few objects are asked for often, most seldom.
func randomRequests(seed: UInt64, count: Int, objectCount: Int, byteCountMax: Int) -> [(object: Int, byteCount: Int)] {
    var generator = SplitMix64(seed: seed)
    let sizes = (0..<objectCount).map { _ in generator.integer(in: 1...byteCountMax) }
    return (0..<count).map { _ in
        let first = generator.integer(in: 0...objectCount - 1)
        let object = first * generator.integer(in: 0...objectCount - 1) / objectCount
        return (object, sizes[object])
    }
}

func trace(of requests: [(object: Int, byteCount: Int)]) -> ListedTrace {
    var trace = ListedTrace()
    for request in requests { trace.append(request.object, byteCount: request.byteCount) }
    return trace
}

func tally(of trace: some RequestTrace, _ policy: SimulatedPolicy, byteCountMax: Int) throws -> CacheTally {
    let run = CacheReplay(policy, byteCountMax: byteCountMax)
    var (trace, block) = (trace, TraceBlock())
    while try trace.read(&block) { run.take(block) }
    return run.tally
}
