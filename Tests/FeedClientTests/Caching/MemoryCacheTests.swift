// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Testing

@Suite struct MemoryCacheTests {
    @Test func `keeps an exact limit`() {
        var cache = MemoryCache<String>(byteCountMax: 100)
        cache.store("a", for: "a", byteCount: 60)
        cache.store("b", for: "b", byteCount: 40)
        #expect(cache.byteCount == 100)
        #expect(cache.value(for: "a") == "a")
        cache.store("c", for: "c", byteCount: 1)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.byteCount == 61)
        cache.store("huge", for: "a", byteCount: 101)
        #expect(cache.value(for: "a") == nil)
        #expect(cache.count == 1)
        cache.removeAll()
        #expect(cache.byteCount == 0)
    }

    @Test func `keeps small values when a large one comes, as NSCache on Linux does not`() {
        var cache = MemoryCache<Int>(byteCountMax: 1_000_000)
        for number in 0..<20 { cache.store(number, for: "\(number)", byteCount: 10_000) }
        cache.store(-1, for: "large", byteCount: 700_000)
        for number in 0..<20 { #expect(cache.value(for: "\(number)") == number) }
        cache.store(-2, for: "larger", byteCount: 900_000)
        #expect(cache.value(for: "large") == nil)
        #expect(cache.count == 11)
    }
}
