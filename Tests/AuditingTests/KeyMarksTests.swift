// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Testing

@testable import Auditing

@Suite struct KeyMarksTests {
    @Test func `a number stays until its key or all keys are forgotten`() {
        var marks = KeyMarks()
        let inserted = [marks.insert(3, value: 30), marks.insert(3, value: 31), marks.insert(0, value: 1)]
        #expect(inserted == [true, false, true])
        #expect([marks[3], marks[0], marks[2], marks[9]] == [30, 1, nil, nil])
        marks.remove(3)
        marks.remove(9)
        #expect(marks[3] == nil && marks[0] == 1)
        let isNew = marks.insert(3, value: 32)
        #expect(isNew && marks[3] == 32)
        marks.removeAll()
        #expect(marks[3] == nil && marks[0] == nil)
    }

    /// The client's table and the simulation's share the places; what they hold must be the same.
    @Test(arguments: CachePolicyChoice.all)
    func `a cache of numbers holds what a cache of texts holds`(policy: CachePolicyChoice) {
        var texts = CacheIndex<Int>(byteCountMax: 1_000, policy: policy)
        var numbers = NumberedCache<Int>(byteCountMax: 1_000, policy: policy)
        var state: UInt64 = 1
        for step in 0..<4_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = Int(state >> 33) % 60
            switch Int(state >> 59) {
            case 0:
                texts.remove("\(key)")
                numbers.remove(key)
            case 1 where step % 500 == 0:
                texts.removeAll()
                numbers.removeAll()
            case 2...12:
                texts.touch("\(key)")
                numbers.touch(key)
            default:
                let byteCount = 10 + key * 7
                _ = texts.insert("\(key)", value: step, byteCount: byteCount)
                numbers.insert(key, id: FNV1a64.hash(of: "\(key)".utf8), value: step, byteCount: byteCount)
            }
            let held = Dictionary(uniqueKeysWithValues: numbers.entries.map { ("\($0.key)", $0.value) })
            #expect(held == Dictionary(uniqueKeysWithValues: texts.entries.map { ($0.key, $0.value) }))
            guard held.count == texts.count else { return }
        }
    }
}
