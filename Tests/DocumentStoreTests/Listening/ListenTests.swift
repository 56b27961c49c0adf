// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite(.timeLimit(.minutes(5)))
struct ListenTests {
    private let fixture: ListenFixture

    init() throws {
        self.fixture = try ListenFixture()
    }

    private func texts(adding target: ListenTarget) async throws -> [String] {
        let stream = fixture.hub.openStream(in: demo)
        stream.add(target)
        return try await stream.next()?.texts ?? []
    }

    @Test func `tells all documents, then that they are all`() async throws {
        try fixture.set("c/b", 2)
        try fixture.set("c/a", 1)
        try fixture.set("d/x", 1)
        let told = try await texts(adding: ListenTarget(id: 2, .collection("c")))
        #expect(told == ["ADD 2", "c/a=1 [2]", "c/b=2 [2]", "CURRENT 2", "SNAPSHOT"])
    }

    @Test func `an empty result is current at once`() async throws {
        #expect(try await texts(adding: ListenTarget(id: 1, .collection("c"))) == ["ADD 1", "CURRENT 1", "SNAPSHOT"])
    }

    @Test func `documents by name are there or missing`() async throws {
        try fixture.set("c/a", 1)
        let target = ListenTarget(id: 1, .documents([try path("c/a"), try path("c/b"), try path("c/a")]))
        #expect(
            try await texts(adding: target)
                == ["ADD 1", "c/a=1 [1]", "c/b deleted -[1]", "CURRENT 1", "SNAPSHOT"]
        )
    }

    @Test func `current and snapshot are of the same time`() async throws {
        let stream = fixture.hub.openStream(in: demo)
        stream.add(ListenTarget(id: 1, .collection("c")))
        let events = try #require(try await stream.next()).events
        guard case .targetCurrent(1, let token, let time) = events[1] else { throw CancellationError() }
        #expect(events[2] == .snapshot(token: token, readTime: time))
    }

    /// The documents at first, the target's filter, the writes in commits of their own, and the events.
    private static let deltas: [(Int64?, Int64?, String)] = [
        (nil, 1, "c/a=1 [1]"),
        (1, 2, "c/a=2 [1]"),
        (1, nil, "c/a deleted -[1]"),
        (1, 0, "c/a=0 [] -[1]"),
        (nil, 0, ""),
        (0, -1, ""),
        (0, nil, ""),
        (0, 1, "c/a=1 [1]"),
        (1, 1, ""),
    ]

    @Test(arguments: deltas)
    func `tells what a commit meant`(before: Int64?, after: Int64?, expected: String) async throws {
        if let before { try fixture.set("c/a", before) }
        let stream = try await fixture.open(.collection("c", where: try isAtLeast(1)))
        if let after { try fixture.set("c/a", after) } else { try fixture.delete("c/a") }
        #expect(try await fixture.told(stream) == [expected, "SNAPSHOT"].filter { !$0.isEmpty })
    }

    @Test func `one commit is one snapshot`() async throws {
        let stream = try await fixture.open(.collection("c"))
        let result = try fixture.store.commit(
            [.set(path("c/a"), fields: [:]), .set(path("c/b"), fields: [:])],
            in: demo
        )
        let batch = try #require(try await stream.next())
        #expect(Set(batch.texts) == ["c/a= [1]", "c/b= [1]", "SNAPSHOT"])
        #expect(batch.events.count == 3)
        #expect(batch.lastSnapshot == result.commitTime)
    }

    @Test func `commits that wait are told as one, each document's last state only`() async throws {
        try fixture.set("c/gone", 1)
        let stream = try await fixture.open(.collection("c"))
        try fixture.set("c/a", 1)
        try fixture.set("c/b", 1)
        try fixture.set("c/a", 2)
        try fixture.set("c/short", 1)
        try fixture.delete("c/short")
        try fixture.delete("c/gone")
        #expect(try await stream.next()?.texts == ["c/a=2 [1]", "c/b=1 [1]", "c/gone deleted -[1]", "SNAPSHOT"])
    }

    @Test func `a document is told once with all targets it is in and has left`() async throws {
        try fixture.set("c/a", 1)
        let stream = try await fixture.open(
            .collection("c"),
            .collection("c", where: try isAtLeast(2)),
            .documents([try path("c/a")]),
            .collection("c", where: .field(try field("n"), .equal, .integer(1)))
        )
        try fixture.set("c/a", 2)
        #expect(try await fixture.told(stream) == ["c/a=2 [1, 2, 3] -[4]", "SNAPSHOT"])
        try fixture.delete("c/a")
        #expect(try await fixture.told(stream) == ["c/a deleted -[1, 2, 3]", "SNAPSHOT"])
    }

    @Test func `other collections and databases tell nothing`() async throws {
        let stream = try await fixture.open(.collection("c"))
        try fixture.set("d/a", 1)
        try fixture.set("c/a/c/b", 1)
        try fixture.set("c/a", 1, in: DatabaseID(project: "demo", database: "other"))
        #expect(try await fixture.told(stream) == ["SNAPSHOT"])
    }

    @Test func `a group has collections at any depth`() async throws {
        let source = Query.Source(collectionID: "c", allDescendants: true)
        let stream = try await fixture.open(
            .query(Query(source: source)),
            .query(Query(parent: try path("c/a"), source: source))
        )
        try fixture.set("c/b", 1)
        try fixture.set("c/a/c/b", 2)
        #expect(try await fixture.told(stream) == ["c/b=1 [1]", "c/a/c/b=2 [1, 2]", "SNAPSHOT"])
    }

    @Test func `a projection leaves fields out, of its own target only`() async throws {
        var query = Query("c")
        query.projection = DocumentMask([try field("x")])
        let stream = try await fixture.open(.collection("c"), .query(query))
        try fixture.set("c/a", 1)
        #expect(try await fixture.told(stream) == ["c/a=1 [1]", "c/a= [2]", "SNAPSHOT"])
    }

    @Test func `deleting everything resets every target`() async throws {
        try fixture.set("c/a", 1)
        let stream = try await fixture.open(
            .collection("c"),
            .documents([try path("c/a")]),
            .collection("c", limit: 1)
        )
        try fixture.store.deleteAll(in: demo)
        try fixture.set("c/b", 1)
        #expect(
            try await fixture.told(stream) == [
                "RESET 1", "RESET 2", "RESET 3", "c/b=1 [1, 3]", "c/a deleted -[2]", "CURRENT 1", "CURRENT 2",
                "CURRENT 3", "SNAPSHOT",
            ]
        )
    }

    @Test func `time that goes on is told to streams with targets`() async throws {
        let stream = try await fixture.open(.collection("c"))
        fixture.advance(seconds: 30)
        try fixture.hub.announceTime()
        let batch = try #require(try await stream.next())
        #expect(batch.texts == ["SNAPSHOT"])
        #expect(batch.lastSnapshot == Timestamp(microseconds: noon.microseconds + 30_000_000))
    }
}
