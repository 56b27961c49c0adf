// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation
import FeedClient
import Testing

@Suite struct CacheRunTests {
    @Test(arguments: CachePolicyChoice.all)
    func `answers what the client's cache answers`(policy: CachePolicyChoice) throws {
        let requests = randomRequests(seed: 5, count: 30_000, objectCount: 400, byteCountMax: 90)
        for byteCountMax in [50, 1_000, 6_000, 40_000] {
            var cache = MemoryCache<Int>(byteCountMax: byteCountMax, policy: policy)
            var expected = CacheTally()
            for (object, byteCount) in requests {
                expected.requestCount += 1
                expected.byteCount += Int64(byteCount)
                if cache.value(for: "\(object)") == nil {
                    cache.store(object, for: "\(object)", byteCount: byteCount)
                } else {
                    expected.hitCount += 1
                    expected.hitByteCount += Int64(byteCount)
                }
            }
            let tally = try tally(of: trace(of: requests), .client(policy), byteCountMax: byteCountMax)
            if policy == .wTinyLFU {
                // Its sketch goes by the ids, which a trace has not from the keys.
                #expect(abs(tally.hitCount - expected.hitCount) < expected.requestCount / 100)
            } else {
                #expect(tally == expected, "\(byteCountMax) bytes")
            }
        }
    }

    @Test(arguments: SimulatedPolicy.all)
    func `an object of another size is another object`(policy: SimulatedPolicy) throws {
        let requests = [(0, 10), (0, 10), (0, 12), (0, 12), (0, 10), (0, 10)].map { (object: $0.0, byteCount: $0.1) }
        let tally = try tally(of: trace(of: requests), policy, byteCountMax: 1_000)
        #expect(tally.hitCount == 3)
        #expect(tally.hitByteCount == 32)
        #expect(tally.missByteCount == 32)
    }

    @Test(arguments: SimulatedPolicy.all)
    func `what is larger than the cache is always missed`(policy: SimulatedPolicy) throws {
        let requests = (0..<10).map { _ in (object: 3, byteCount: 101) }
        let tally = try tally(of: trace(of: requests), policy, byteCountMax: 100)
        #expect((tally.requestCount, tally.hitCount) == (10, 0))
        #expect((tally.missRatio, tally.byteMissRatio) == (1, 1))
    }

    @Test(arguments: CachePolicyChoice.all)
    func `with objects of one size nobody beats the one who knows the future`(policy: CachePolicyChoice) throws {
        let requests = randomRequests(seed: 6, count: 20_000, objectCount: 500, byteCountMax: 1)
        for byteCountMax in [30, 100, 300] {
            let belady = try tally(of: trace(of: requests), .belady, byteCountMax: byteCountMax)
            let other = try tally(of: trace(of: requests), .client(policy), byteCountMax: byteCountMax)
            #expect(other.hitCount <= belady.hitCount)
        }
    }

    @Test func `the one who knows the future drops what is asked for again last`() throws {
        // a b c in a cache of two: when c comes, b is asked for again before a, and c never.
        let requests = [0, 1, 2, 1, 0].map { (object: $0, byteCount: 1) }
        #expect(try tally(of: trace(of: requests), .belady, byteCountMax: 2).hitCount == 1)
        #expect(try tally(of: trace(of: requests), .belady, byteCountMax: 3).hitCount == 2)
    }

    @Test func `nothing asked for is no miss`() throws {
        let tally = try tally(of: ListedTrace(), .client(.lru), byteCountMax: 1)
        #expect((tally.missRatio, tally.byteMissRatio) == (0, 0))
    }
}
