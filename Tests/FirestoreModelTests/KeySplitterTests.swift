// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import FirestoreModel

struct KeySplitterTests {
    @Test(arguments: [41, 42, 43] as [UInt64])
    func `finds the keys that were put together`(seed: UInt64) throws {
        var values = RandomValues(seed: seed)
        for _ in 0..<200 {
            let keys = (0..<4).map { _ in OrderedKey(values.value()) }
            let directions = (0..<4).map { _ in
                values.generator.chance(50) ? Query.Direction.ascending : .descending
            }
            let parts = zip(keys, directions).map { $0.inOrder($1) }
            let name = OrderedKey(try path("c/\(seed)"))
            var splitter = KeySplitter(parts.reduce(OrderedKey(), +).bytes + name.bytes)
            for (part, direction) in zip(parts, directions) {
                #expect(try splitter.nextKey(direction) == part)
            }
            #expect(splitter.rest == name)
        }
    }

    @Test func `damaged keys throw and never trap`() {
        var values = RandomValues(seed: 44)
        for _ in 0..<300 {
            var bytes = OrderedKey(values.value()).bytes
            bytes[Int.random(in: 0..<bytes.count, using: &values.generator)] = UInt8.random(in: 0...255)
            for cut in [bytes, Array(bytes.dropLast())] {
                var splitter = KeySplitter(cut)
                _ = try? splitter.nextKey()
            }
        }
        var empty = KeySplitter([])
        #expect(throws: FirestoreError.self) { try empty.nextKey() }
    }

    @Test func `a complement has the opposite interval`() {
        var values = RandomValues(seed: 45)
        for _ in 0..<300 {
            let interval = KeyInterval(OrderedKey(values.value()), OrderedKey(values.value()).successor)
            let key = OrderedKey(values.value())
            #expect(interval.contains(key) == interval.complement.contains(key.complement))
        }
    }
}
