// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Large documents, and streams that are not pulled.
@Suite(.timeLimit(.minutes(5)))
struct ListenMemoryTests {
    private static let documentByteCount = 1_000
    private let fixture: ListenFixture

    init() throws {
        var limits = ListenLimits()
        limits.waitingByteCountMax = 8 * Self.documentByteCount
        limits.allWaitingByteCountMax = 20 * Self.documentByteCount
        limits.windowByteCountMax = 4 * Self.documentByteCount
        limits.allWindowsByteCountMax = 6 * Self.documentByteCount
        limits.partByteCountMax = 4 * Self.documentByteCount
        self.fixture = try ListenFixture(limits: limits)
    }

    private func set(_ text: String, _ number: Int64) throws {
        let fields: [String: Value] = [
            "n": .integer(number), "text": .string(String(repeating: "x", count: Self.documentByteCount)),
        ]
        try fixture.store.put(text, fields)
    }

    /// The documents of the collection as a client that receives all of this has them.
    private func merge(_ texts: [String], into known: inout [String: String]) {
        for text in texts where text.contains("=") {
            let parts = text.split(separator: " ")[0].split(separator: "=")
            known[String(parts[0])] = String(parts[1])
        }
        for text in texts where text.contains(" deleted ") { known[String(text.split(separator: " ")[0])] = nil }
    }

    @Test func `what waits for a stream is bounded in bytes, and comes in parts`() async throws {
        let stream = try await fixture.open(.collection("c"))
        for number in 0..<100 {
            try set("c/\(number % 50)", Int64(number))
            #expect(fixture.hub.heldByteCount <= 9 * Self.documentByteCount)
        }
        var known: [String: String] = [:]
        var partCount = 0
        var last: [String] = []
        while last.last != "SNAPSHOT" {
            last = try await stream.next()?.texts ?? ["SNAPSHOT"]
            #expect(last.count { $0.contains("=") } <= 8)
            merge(last, into: &known)
            partCount += 1
        }
        #expect(partCount > 5)
        #expect(known == Dictionary(uniqueKeysWithValues: (0..<50).map { ("c/\($0)", "\($0 + 50)") }))
        #expect(fixture.hub.heldByteCount == 0)
        try set("c/0", 7)
        #expect(try await fixture.told(stream) == ["c/0=7 [1]", "SNAPSHOT"])
    }

    @Test func `what changes between parts is told, too`() async throws {
        let stream = try await fixture.open(.collection("c"), .documents([path("c/05"), path("c/40")]))
        let names = (0..<50).map { $0 < 10 ? "c/0\($0)" : "c/\($0)" }
        for (number, name) in names.enumerated() { try set(name, Int64(number)) }
        var known: [String: String] = [:]
        var expected = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, "\($0)") })
        var round: Int64 = 1_000
        var last: [String] = []
        while last.last != "SNAPSHOT" {
            last = try await stream.next()?.texts ?? ["SNAPSHOT"]
            merge(last, into: &known)
            guard round < 1_006 else { continue }
            // Before and behind what has been sent.
            for name in ["c/00", "c/25", "c/49"] {
                try set(name, round)
                expected[name] = "\(round)"
            }
            try fixture.delete(names[Int(round) - 1_000 + 3])
            expected[names[Int(round) - 1_000 + 3]] = nil
            round += 1
        }
        merge(try await fixture.told(stream), into: &known)
        #expect(known == expected)
    }

    @Test func `what comes and goes between parts is forgotten, and nothing is billed twice`() async throws {
        let stream = try await fixture.open(.collection("c"))
        for number in 10..<40 { try set("c/\(number)", Int64(number)) }
        var known: [String: String] = [:]
        var reads = 0
        var last: [String] = []
        var round = 0
        while last.last != "SNAPSHOT" {
            let batch = try await stream.next()
            last = batch?.texts ?? ["SNAPSHOT"]
            merge(last, into: &known)
            reads += batch?.billedReads.values.reduce(0, +) ?? 0
            round += 1
            if round == 1 {
                try set("c/35", 1_035)
                try set("c/99", 99)
            } else if round == 4 {
                try fixture.delete("c/99")
            }
        }
        #expect(round > 5)
        var expected = Dictionary(uniqueKeysWithValues: (10..<40).map { ("c/\($0)", "\($0)") })
        expected["c/35"] = "1035"
        #expect(known == expected)
        // The thirty, and the one that changed behind them.
        #expect(reads == 31)
    }

    @Test func `liveResults that wait for one commit share its memory`() async throws {
        var streams: [ListenStream] = []
        for number in 0..<20 {
            streams.append(try await fixture.open(.collection("c", where: try isAtLeast(Int64(-number)))))
        }
        try set("c/a", 1)
        let held = fixture.hub.heldByteCount
        #expect((Self.documentByteCount...(2 * Self.documentByteCount)).contains(held))
        for stream in streams { #expect(try await fixture.told(stream) == ["c/a=1 [1]", "SNAPSHOT"]) }
        #expect(fixture.hub.heldByteCount == 0)
    }

    @Test func `slow streams of many liveResults do not take the memory of others`() async throws {
        var streams: [ListenStream] = []
        for number in 0..<10 { streams.append(try await fixture.open(.collection("c\(number)"))) }
        let quick = try await fixture.open(.collection("quick"))
        for number in 0..<60 {
            try set("c\(number % 10)/a", Int64(number))
            try set("quick/a", Int64(number))
            #expect(try await quick.next()?.texts == ["quick/a=\(number) [1]", "SNAPSHOT"])
            #expect(fixture.hub.heldByteCount <= 20 * Self.documentByteCount)
        }
        for (number, stream) in streams.enumerated() {
            #expect(try await fixture.told(stream) == ["c\(number)/a=\(50 + number) [1]", "SNAPSHOT"])
        }
    }

    @Test func `a quick stream of a liveResult takes all, whatever is dropped for a slow one`() async throws {
        let slow = try await fixture.open(.collection("c"))
        let quick = try await fixture.open(.collection("c"))
        for number in 0..<60 {
            try set("c/a", Int64(number))
            #expect(try await quick.next()?.texts == ["c/a=\(number) [1]", "SNAPSHOT"])
            #expect(fixture.hub.heldByteCount <= 9 * Self.documentByteCount)
        }
        #expect(try await fixture.told(slow) == ["c/a=59 [1]", "SNAPSHOT"])
        #expect(fixture.hub.heldByteCount == 0)
    }

    @Test(arguments: [2, 5])
    func `a limited query whose window does not fit is read again`(limit: Int) async throws {
        for number in 0..<9 { try set("c/\(number)", Int64(number)) }
        let order = [Query.Ordering(try field("n"))]
        let stream = try await fixture.open(.collection("c", orderBy: order, limit: limit))
        let other = try await fixture.open(.collection("c", orderBy: order, limit: limit + 1))
        #expect(fixture.hub.heldByteCount <= 6 * Self.documentByteCount)
        try set("c/8", -1)
        let left = "c/\(limit - 1) removed -[1]"
        #expect(Set(try await fixture.told(stream)) == ["c/8=-1 [1]", left, "SNAPSHOT"])
        #expect(try await fixture.told(other).contains("c/8=-1 [1]"))
        try fixture.delete("c/8")
        #expect(try await fixture.told(stream).contains("c/8 deleted -[1]"))
    }

    @Test func `an initial result comes in parts of bytes`() async throws {
        for number in 0..<9 { try set("c/\(number)", Int64(number)) }
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c")))
        var counts: [Int] = []
        var last: [String] = []
        while last.last != "SNAPSHOT" {
            last = try await stream.next()?.texts ?? ["SNAPSHOT"]
            counts.append(last.count { $0.contains("=") })
        }
        #expect(counts == [4, 4, 1])
    }
}
