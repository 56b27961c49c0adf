// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Testing

struct RecencyIndexTests {
    enum Step: Sendable {
        case insert(String, byteCount: Int, ticket: UInt64)
        case touch(String, ticket: UInt64)
        case remove(String)
        case removeAll(upTo: UInt64)
    }

    @Test(
        arguments: [
            ([.insert("a", byteCount: 4, ticket: 1), .insert("b", byteCount: 6, ticket: 2)], ["a", "b"], 10),
            ([.insert("a", byteCount: 5, ticket: 1), .insert("b", byteCount: 6, ticket: 2)], ["b"], 6),
            ([.insert("a", byteCount: 10, ticket: 1)], ["a"], 10), ([.insert("a", byteCount: 11, ticket: 1)], [], 0),
            ([.insert("a", byteCount: 9, ticket: 1), .insert("b", byteCount: 11, ticket: 2)], ["a"], 9),
            (
                [
                    .insert("a", byteCount: 5, ticket: 1), .insert("b", byteCount: 5, ticket: 2),
                    .touch("a", ticket: 3), .insert("c", byteCount: 5, ticket: 4),
                ], ["a", "c"], 10
            ),
            ([.insert("b", byteCount: 5, ticket: 2), .insert("a", byteCount: 5, ticket: 1)], ["a", "b"], 10),
            (
                [
                    .insert("b", byteCount: 6, ticket: 2), .insert("c", byteCount: 5, ticket: 3),
                    .insert("a", byteCount: 5, ticket: 1),
                ], ["c"], 5
            ),
            ([.insert("a", byteCount: 5, ticket: 1), .insert("a", byteCount: 7, ticket: 2)], ["a"], 7),
            (
                [
                    .insert("a", byteCount: 5, ticket: 3), .insert("b", byteCount: 5, ticket: 4),
                    .insert("a", byteCount: 5, ticket: 1),
                ], ["a", "b"], 10
            ),
            (
                [
                    .insert("a", byteCount: 2, ticket: 1), .insert("b", byteCount: 2, ticket: 2),
                    .insert("c", byteCount: 2, ticket: 3), .remove("b"), .remove("x"),
                    .insert("d", byteCount: 2, ticket: 4),
                ], ["a", "c", "d"], 6
            ),
            (
                [
                    .insert("a", byteCount: 2, ticket: 1), .removeAll(upTo: 3), .insert("b", byteCount: 2, ticket: 3),
                    .insert("c", byteCount: 2, ticket: 4),
                ], ["c"], 2
            ),
            ([.insert("a", byteCount: 0, ticket: 1), .insert("b", byteCount: 10, ticket: 2)], ["a", "b"], 10),
        ] as [([Step], [String], Int)]
    )
    func `keeps the latest that fit into ten bytes`(steps: [Step], expected: [String], byteCount: Int) {
        var index = RecencyIndex<Int>(byteCountMax: 10)
        for step in steps {
            switch step {
            case .insert(let key, let byteCount, let ticket):
                _ = index.insert(key, 0, byteCount: byteCount, ticket: ticket)
            case .touch(let key, let ticket): _ = index.touch(key, ticket: ticket)
            case .remove(let key): _ = index.remove(key)
            case .removeAll(let ticket): index.removeAll(upTo: ticket)
            }
        }
        #expect(index.keysFromOldest == expected)
        #expect(index.count == expected.count)
        #expect(index.byteCount == byteCount)
    }

    @Test func `returns what had to go, the oldest first`() {
        var index = RecencyIndex<String>(byteCountMax: 10)
        for (ticket, key) in ["a", "b", "c"].enumerated() {
            #expect(index.insert(key, key.uppercased(), byteCount: 3, ticket: UInt64(ticket + 1)) == [])
        }
        #expect(index.touch("c", ticket: 4) == "C")
        #expect(index.touch("x", ticket: 5) == nil)
        #expect(index.insert("d", "D", byteCount: 6, ticket: 6) == ["A", "B"])
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `keeps the same entries in whatever order they arrive`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let entries = (1...40).map { (ticket: UInt64($0), byteCount: Int.random(in: 0...40, using: &generator)) }
        var expected: [String] = []
        var byteCount = 0
        for entry in entries.reversed() where entry.byteCount <= 30 {
            byteCount += entry.byteCount
            guard byteCount <= 30 else { break }
            expected.insert("\(entry.ticket)", at: 0)
        }
        for _ in 0..<20 {
            var index = RecencyIndex<Int>(byteCountMax: 30)
            for entry in entries.shuffled(using: &generator) {
                _ = index.insert("\(entry.ticket)", 0, byteCount: entry.byteCount, ticket: entry.ticket)
            }
            #expect(index.keysFromOldest == expected)
        }
    }
}
