// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Source of the rules: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
@Suite(.timeLimit(.minutes(5)))
struct ListenBillingTests {
    private let fixture: ListenFixture

    init() throws {
        self.fixture = try ListenFixture()
        for id in ["a", "b", "c"] {
            try fixture.set("c/\(id)", 1)
        }
    }

    private func firstBill(_ target: ListenTarget) async throws -> Int {
        let stream = fixture.hub.openStream(in: demo)
        defer { stream.close() }
        stream.add(target)
        return try await stream.next()?.billedReads[target.id] ?? 0
    }

    @Test func `initial documents are billed, missing ones too, an empty result as one`() async throws {
        #expect(try await firstBill(ListenTarget(id: 1, .collection("c"))) == 3)
        #expect(try await firstBill(ListenTarget(id: 1, .collection("c", limit: 2))) == 2)
        #expect(try await firstBill(ListenTarget(id: 1, .collection("d"))) == 1)
        #expect(try await firstBill(ListenTarget(id: 1, .documents([path("c/a"), path("c/x")]))) == 2)
        #expect(try await firstBill(ListenTarget(id: 1, .collection("c", limit: -1))) == 0)
    }

    /// A document's number before and after, and what it costs a listener to those from 1 on.
    @Test(
        arguments: [(0, 1, 1), (1, 2, 1), (1, 0, 1), (1, nil, 0), (0, -1, 0), (0, nil, 0), (1, 1, 0)]
            as [(Int64, Int64?, Int)]
    )
    func `a change is billed once, a deletion never`(before: Int64, after: Int64?, reads: Int) async throws {
        try fixture.set("c/x", before)
        let stream = try await fixture.open(.collection("c", where: try isAtLeast(1)))
        if let after { try fixture.set("c/x", after) } else { try fixture.delete("c/x") }
        #expect(try await fixture.settle(stream).billedReads[1] ?? 0 == reads)
    }

    @Test func `each target is billed for itself`() async throws {
        let stream = try await fixture.open(.collection("c"), .collection("c", limit: 1), .documents([path("c/b")]))
        try fixture.delete("c/a")
        try fixture.set("c/b", 2)
        #expect(try await fixture.settle(stream).billedReads == [1: 1, 2: 1, 3: 1])
    }

    @Test func `a document pushed out unchanged costs nothing`() async throws {
        let stream = try await fixture.open(.collection("c", limit: 1))
        try fixture.set("c/0", 1)
        #expect(try await fixture.settle(stream).billedReads == [1: 1])
    }

    @Test(arguments: [(1_800, 1), (1_801, 3)] as [(Int64, Int)])
    func `coming back within half an hour costs the changes, later all`(seconds: Int64, reads: Int) async throws {
        fixture.advance(seconds: 10)
        let time = try fixture.store.get([], in: demo).readTime
        try fixture.set("c/a", 2)
        try fixture.set("c/d", 1)
        try fixture.delete("c/d")
        fixture.advance(seconds: seconds)
        for start in [ListenTarget.Start.readTime(time), .token(ResumeToken(time: time).bytes(of: demo))] {
            #expect(try await firstBill(ListenTarget(id: 1, .collection("c"), start: start)) == reads)
        }
        let missing = ListenTarget(id: 1, .documents([try path("c/x")]), start: .readTime(time))
        #expect(try await firstBill(missing) == (reads == 1 ? 0 : 1))
    }
}
