// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import TestSupport
import Testing

@Suite struct CachePolicyTests {
    /// Asks for keys of one byte each, in a cache of three by default; returns the keys in the order they went.
    private func victims(
        of trace: String,
        _ policy: CachePolicyChoice,
        byteCountMax: Int = 3,
        byteCount: (Character) -> Int = { _ in 1 }
    ) -> String {
        var index = CacheIndex<Character>(byteCountMax: byteCountMax, policy: policy)
        var victims = ""
        for key in trace {
            if index[String(key)] != nil {
                index.touch(String(key))
            } else {
                let insertion = index.insert(String(key), value: key, byteCount: byteCount(key))
                victims += insertion.dropped.map { String($0.value) }.joined()
            }
        }
        return victims
    }

    @Test(
        "chooses what goes, computed by hand",
        arguments: [
            (CachePolicyChoice.fifo, "abcadbe", "ab"),
            (.lru, "abcade", "bc"), (.lru, "abcabcd", "a"),
            // The hand passes over a, which was asked for, and takes b; then it stands at c.
            (.sieve, "abcade", "bc"), (.sieve, "aabbccd", "a"), (.sieve, "abcadaef", "bcd"),
            // Each was visited once or twice, b least.
            (.gdsf, "aabcce", "b"), (.gdsf, "abcd", "a"),
            // Of two that were asked for once, the one that came first.
            (.lfu, "aabcde", "bc"), (.lfu, "abcabd", "c"),
            // a came again and has the protected row; the newcomers take turns.
            (.arc, "aabcde", "bc"),
            // b, let go and wanted again, makes room for what was asked for once: then a goes, for all its visits.
            (.arc, "aabcdbbcce", "bcab"),
        ]
    )
    func victims(policy: CachePolicyChoice, trace: String, expected: String) {
        #expect(victims(of: trace, policy) == expected, "\(policy.name)")
    }

    @Test func `S3-FIFO lets go of what is asked for once, and welcomes back what it let go`() {
        // Of 20 places two are for newcomers; c to t begin in the main row, since nothing had to go. a, asked for three
        // times, moves on and c makes way for it; from then on the newcomers take turns.
        let once = "aaabcdefghijklmnopqrstuvwxyz"
        #expect(victims(of: once, .s3FIFO, byteCountMax: 20) == "bcuvwx")
        // u comes back while its id is remembered: into the main row, where d makes way, and later newcomers do not touch it.
        #expect(victims(of: once + "uABCDE", .s3FIFO, byteCountMax: 20) == "bcuvwxydzABC")
    }

    @Test(
        arguments: [
            // a, b and c fill the rest, x the window of one byte: y pushes x out, which was asked for no more often than a.
            ("abcxy", "x"), ("aabcxy", "x"),
            // Asked for more often than a, or than b where a came again, it takes its place.
            ("abcxxy", "a"), ("aabcxxy", "b"),
        ]
    )
    func `W-TinyLFU holds what its window pushes out against what would go`(_ trace: String, _ expected: String) {
        let sizes: [Character: Int] = ["a": 33, "b": 33, "c": 33]
        #expect(victims(of: trace, .wTinyLFU, byteCountMax: 100) { sizes[$0] ?? 1 } == expected)
    }

    @Test func `GDSF keeps many small before one large`() {
        let sizes: [Character: Int] = ["L": 6, "a": 1, "b": 1, "c": 1, "d": 1, "e": 1]
        #expect(victims(of: "Labcde", .gdsf, byteCountMax: 10) { sizes[$0] ?? 1 } == "L")
    }

    /// The order of eviction, found by scanning a plain array.
    private struct PlainModel {
        enum Kind { case fifo, lru, sieve }
        let kind: Kind
        var row: [Int] = []
        var visited: Set<Int> = []
        var hand = 0

        mutating func touch(_ key: Int) {
            if kind == .lru { row.append(row.remove(at: row.firstIndex(of: key) ?? 0)) }
            visited.insert(key)
        }

        mutating func evict() -> Int {
            guard kind == .sieve else { return row.removeFirst() }
            while visited.contains(row[hand]) {
                visited.remove(row[hand])
                hand = (hand + 1) % row.count
            }
            defer { if hand >= row.count { hand = 0 } }
            return row.remove(at: hand)
        }
    }

    @Test(arguments: [(CachePolicyChoice.fifo, PlainModel.Kind.fifo), (.lru, .lru), (.sieve, .sieve)])
    private func `agrees with a plain model on random requests`(policy: CachePolicyChoice, kind: PlainModel.Kind) {
        var generator = SeededGenerator(seed: 11)
        var index = CacheIndex<Int>(byteCountMax: 20, policy: policy)
        var model = PlainModel(kind: kind)
        for _ in 0..<20_000 {
            let key = Int.random(in: 0..<8, using: &generator) * Int.random(in: 0..<8, using: &generator)
            if index["\(key)"] != nil {
                index.touch("\(key)")
                model.touch(key)
            } else {
                let dropped = index.insert("\(key)", value: key, byteCount: 1).dropped.map(\.value)
                if model.row.count == 20 { #expect(dropped == [model.evict()]) }
                model.row.append(key)
                model.visited.remove(key)
            }
        }
    }

    @Test(arguments: CachePolicyChoice.all)
    func `keeps the limit and loses nothing unannounced`(policy: CachePolicyChoice) {
        var generator = SeededGenerator(seed: 3)
        var index = CacheIndex<Int>(byteCountMax: 1_000, policy: policy)
        var held: [String: Int] = [:]
        for _ in 0..<20_000 {
            let key = "k\(Int.random(in: 0..<100, using: &generator))"
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: #expect(index.remove(key) == held.removeValue(forKey: key))
            case 1...4: index.touch(key)
            default:
                let byteCount = Int.random(in: 1...300, using: &generator) * Int.random(in: 1...4, using: &generator)
                let insertion = index.insert(key, value: byteCount, byteCount: byteCount)
                for (dropped, value) in insertion.dropped { #expect(held.removeValue(forKey: dropped) == value) }
                // No entry may fill S3-FIFO's row for newcomers, a tenth of the cache.
                #expect(insertion.isHeld == (byteCount <= (policy == .s3FIFO ? 99 : 1_000)))
                if insertion.isHeld { held[key] = byteCount }
            }
            #expect(index.byteCount == held.values.reduce(0, +))
            #expect(index.byteCount <= 1_000)
            #expect(index[key] == held[key])
        }
        #expect(index.keys == held.keys.sorted())
    }

    @Test func `takes a policy of the app's own`() {
        struct NewestFirst: CachePolicy {
            var slots: [Int] = []
            mutating func insert(_ entry: CacheEntry) { slots.append(entry.slot) }
            mutating func touch(_ slot: Int) {}
            mutating func remove(_ slot: Int) { slots.removeAll { $0 == slot } }
            mutating func evict() -> Int? { slots.popLast() }
        }
        let choice = CachePolicyChoice(name: "newest-first") { _ in NewestFirst() }
        #expect(victims(of: "abcde", choice) == "cd")
    }
}
