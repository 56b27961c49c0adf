// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite(.timeLimit(.minutes(5)))
struct ListenSharingTests {
    @Test func `a thousand listeners, one update: a thousand messages`() async throws {
        let fixture = try ListenFixture()
        for index in 0..<50 {
            try fixture.set("c/\(index)", Int64(index))
        }
        var streams: [ListenStream] = []
        for _ in 0..<1_000 {
            streams.append(try await fixture.open(.collection("c", orderBy: [Query.Ordering(try field("n"))])))
        }
        #expect(fixture.hub.viewCount == 1)
        try fixture.set("c/7", 100)
        var texts: [String: Int] = [:]
        var encodedCount = 0
        for stream in streams {
            let batch = try #require(try await stream.next())
            for text in batch.texts { texts[text, default: 0] += 1 }
            if let common = batch.common {
                _ = common.encoded { events in
                    encodedCount += 1
                    return events.map { Array($0.text.utf8) }
                }
            }
        }
        #expect(texts == ["c/7=100 [1]": 1_000, "SNAPSHOT": 1_000])
        // Made for the first, and sent to all.
        #expect(encodedCount == 1)
    }

    @Test func `streams share what is alike, and not what differs`() async throws {
        let fixture = try ListenFixture()
        let target = ListenTarget.Content.collection("c")
        let first = try await fixture.open(target)
        let second = try await fixture.open(target)
        let both = try await fixture.open(target, .documents([try path("d/x")]))
        try fixture.set("c/a", 1)
        let batches = [try await first.next(), try await second.next(), try await both.next()]
        #expect(batches.allSatisfy { $0?.common != nil })
        #expect(batches[0]?.common === batches[1]?.common)
        // Both targets of the one stream have changed, so it has events of its own.
        try fixture.set("c/a", 2)
        try fixture.set("d/x", 3)
        #expect(try #require(await both.next()).common == nil)
        #expect(try await first.next()?.texts == ["c/a=2 [1]", "SNAPSHOT"])
    }

    @Test func `a thousand who wait are all woken`() async throws {
        let fixture = try ListenFixture()
        var streams: [ListenStream] = []
        for _ in 0..<1_000 {
            streams.append(try await fixture.open(.collection("c", limit: 3)))
        }
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for stream in streams {
                group.addTask { try await stream.next()?.events.count ?? 0 }
            }
            try fixture.set("c/a", 1)
            return try await group.reduce(0, +)
        }
        #expect(count == 2_000)
    }
}
