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
        for stream in streams {
            for text in try await stream.next()?.texts ?? [] {
                texts[text, default: 0] += 1
            }
        }
        #expect(texts == ["c/7=100 [1]": 1_000, "SNAPSHOT": 1_000])
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
