// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CacheSimulation
import FeedClient
import Testing

@testable import Auditing

struct CacheTuningTests {
    private static func trace(_ objects: [Int], byteCount: Int = 1_000) -> ListedTrace {
        objects.reduce(into: ListedTrace()) { $0.append($1, byteCount: byteCount) }
    }

    /// Ten objects in turn: LRU and FIFO hit only when all fit.
    @Test func `a loop needs room for all of it`() throws {
        let tuning = try #require(try CacheTuning(of: [Self.trace((0..<100).map { $0 % 10 })]))
        #expect(tuning.bestMissByteCount == 10_000)
        for choice in tuning.choices where ["lru", "fifo"].contains(choice.policy.name) {
            #expect(choice.byteCountMax == 10_000)
            #expect(choice.missByteCount == 10_000)
        }
    }

    @Test func `an object that is asked for again and again needs room for itself`() throws {
        let tuning = try #require(try CacheTuning(of: [Self.trace([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])]))
        let lru = try #require(tuning.choices.first { $0.policy.name == "lru" })
        #expect(lru.byteCountMax == 1_000)
        #expect(lru.missByteCount == 4_000)
    }

    @Test func `the smallest comes first, and none is much worse than the best`() throws {
        // A little of everything: few objects often, many once.
        let objects = (0..<2_000).map { number in number % 3 == 0 ? number % 20 : 20 + number * number % 97 }
        let tuning = try #require(try CacheTuning(of: [Self.trace(objects), Self.trace(objects.reversed())]))
        #expect(tuning.choices.count == 8)
        let sizes = tuning.choices.map(\.byteCountMax)
        #expect(sizes == sizes.sorted())
        for choice in tuning.choices {
            #expect(choice.missByteCount * 100 <= tuning.bestMissByteCount * (100 + CacheTuning.tolerancePercent))
        }
    }

    @Test func `nothing asked for needs no cache`() throws {
        #expect(try CacheTuning(of: []) == nil)
        #expect(try CacheTuning(of: [ListedTrace()]) == nil)
    }
}
