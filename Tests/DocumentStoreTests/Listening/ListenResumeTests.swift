// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Clients that come back, as recorded from production where a comment does not say otherwise.
@Suite(.timeLimit(.minutes(5)))
struct ListenResumeTests {
    private let fixture: ListenFixture

    init() throws {
        self.fixture = try ListenFixture()
        for id in ["a", "b", "c"] {
            try fixture.set("c/\(id)", 1)
        }
    }

    /// A token of now.
    private func token(_ content: ListenTarget.Content = .collection("c")) async throws -> [UInt8] {
        let stream = fixture.hub.openStream(in: demo)
        defer { stream.close() }
        stream.add(ListenTarget(id: 1, content))
        fixture.advance(seconds: 1)
        return try #require(try await stream.next()?.lastToken)
    }

    private func texts(
        _ content: ListenTarget.Content,
        _ start: ListenTarget.Start,
        expectedCount: Int? = nil
    ) async throws -> [String] {
        let stream = fixture.hub.openStream(in: demo)
        defer { stream.close() }
        stream.add(ListenTarget(id: 1, content, start: start, expectedCount: expectedCount))
        return try await stream.next()?.texts ?? []
    }

    private static let frame = (before: ["ADD 1", "SNAPSHOT"], after: ["CURRENT 1", "SNAPSHOT"])

    @Test func `by token: the changes and a count`() async throws {
        let token = try await token()
        try fixture.set("c/b", 2)
        try fixture.set("c/d", 1)
        try fixture.set("d/x", 1)
        #expect(
            try await texts(.collection("c"), .token(token))
                == Self.frame.before + ["c/b=2 [1]", "c/d=1 [1]", "FILTER 1 4"] + Self.frame.after
        )
    }

    @Test func `what left and what was deleted is told, and the count`() async throws {
        let query = ListenTarget.Content.collection("c", where: try isAtLeast(1))
        let token = try await token(query)
        try fixture.delete("c/b")
        try fixture.set("c/c", 0)
        #expect(
            try await texts(query, .token(token), expectedCount: 3)
                == Self.frame.before + ["c/b deleted -[1]", "c/c=0 [] -[1]", "FILTER 1 1 names"] + Self.frame.after
        )
    }

    @Test func `nothing changed: the count alone`() async throws {
        let token = try await token()
        #expect(
            try await texts(.collection("c"), .token(token)) == Self.frame.before + ["FILTER 1 3"] + Self.frame.after
        )
        #expect(
            try await texts(.collection("c"), .token(token), expectedCount: 4)
                == Self.frame.before + ["FILTER 1 3 names"] + Self.frame.after
        )
    }

    @Test func `the names of the count are those of the result`() async throws {
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c"), start: .token(try await token()), expectedCount: 3))
        let events = try #require(try await stream.next()).events
        guard case .existenceFilter(1, 3, let names?) = events[2] else { throw CancellationError() }
        #expect(names.hashCount == 14)
        for id in ["a", "b", "c"] {
            #expect(names.mightContain("projects/demo/databases/(default)/documents/c/\(id)"))
        }
    }

    @Test func `the first snapshot is of the time of the token`() async throws {
        let token = try await token()
        try fixture.set("c/a", 2)
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c"), start: .token(token)))
        let events = try #require(try await stream.next()).events
        let time = try #require(ResumeToken(token, of: demo)?.time)
        #expect(events[1] == .snapshot(token: token, readTime: time))
    }

    @Test func `by time: the changes and no count`() async throws {
        fixture.advance(seconds: 1)
        let before = try fixture.store.get([], in: demo).readTime
        try fixture.set("c/a", 5)
        let after = try fixture.store.get([], in: demo).readTime
        #expect(
            try await texts(.collection("c"), .readTime(before)) == Self.frame.before + ["c/a=5 [1]"] + Self.frame.after
        )
        #expect(try await texts(.collection("c"), .readTime(after)) == Self.frame.before + Self.frame.after)
    }

    @Test func `a time to come is refused`() async throws {
        let time = Timestamp(microseconds: noon.microseconds + 3_600_000_000)
        #expect(
            try await texts(.collection("c"), .readTime(time))
                == ["ADD 1", "REMOVE 1 INVALID_ARGUMENT: The requested 'read_time' cannot be in the future."]
        )
    }

    @Test func `a token that is none is refused, without a word before`() async throws {
        let refused = ["REMOVE 1 INVALID_ARGUMENT: bad resume token"]
        #expect(try await texts(.collection("c"), .token(Array("not-a-token".utf8))) == refused)
        let foreign = ResumeToken(time: noon).bytes(of: DatabaseID(project: "other"))
        #expect(try await texts(.collection("c"), .token(foreign)) == refused)
    }

    @Test func `a token of another query is a time`() async throws {
        let token = try await token()
        #expect(
            try await texts(.collection("d"), .token(token)) == Self.frame.before + ["FILTER 1 0"] + Self.frame.after
        )
    }

    /// Not recorded from native clients; over WebChannel production resets.
    @Test func `a token from too long ago, or from another life, starts anew`() async throws {
        let token = try await token()
        try fixture.delete("c/b")
        fixture.history.forget(before: Timestamp(microseconds: noon.microseconds + 2_000_000))
        let anew = ["ADD 1", "RESET 1", "c/a=1 [1]", "c/c=1 [1]", "CURRENT 1", "SNAPSHOT"]
        #expect(try await texts(.collection("c"), .token(token)) == anew)
        let future = ResumeToken(time: Timestamp(microseconds: noon.microseconds + 9_000_000_000))
        #expect(try await texts(.collection("c"), .token(future.bytes(of: demo))) == anew)
    }

    @Test func `a limited result: what is not the same`() async throws {
        let query = ListenTarget.Content.collection("c", limit: 2)
        let token = try await token(query)
        try fixture.delete("c/a")
        try fixture.set("c/b", 2)
        #expect(
            try await texts(query, .token(token), expectedCount: 2)
                == Self.frame.before
                + ["c/b=2 [1]", "c/c=1 [1]", "c/a deleted -[1]", "FILTER 1 2 names"]
                + Self.frame.after
        )
        try fixture.set("c/0", 1)
        #expect(
            try await texts(query, .token(token))
                == Self.frame.before + ["c/0=1 [1]", "c/b=2 [1]", "c/a deleted -[1]", "FILTER 1 2"] + Self.frame.after
        )
    }

    @Test func `documents by name: those that changed, and no count`() async throws {
        let paths = try ["c/a", "c/b", "c/c", "c/d", "c/e"].map { try path($0) }
        let token = try await token(.documents(paths))
        try fixture.set("c/a", 2)
        try fixture.delete("c/b")
        try fixture.set("c/d", 1)
        #expect(
            try await texts(.documents(paths), .token(token))
                == Self.frame.before + ["c/a=2 [1]", "c/b deleted -[1]", "c/d=1 [1]"] + Self.frame.after
        )
    }

    @Test func `a target that returns goes on`() async throws {
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c"), start: .token(try await token())))
        _ = try await stream.next()
        try fixture.set("c/a", 7)
        #expect(try await stream.next()?.texts == ["c/a=7 [1]", "SNAPSHOT"])
    }
}
