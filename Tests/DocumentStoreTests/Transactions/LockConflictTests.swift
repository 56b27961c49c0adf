// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Which writes wait for which reads.
@Suite(.timeLimit(.minutes(5)))
struct LockConflictTests {
    private let fixture: TransactionFixture
    private let transaction: TransactionID

    init() throws {
        self.fixture = try TransactionFixture()
        try fixture.store.put("c/in", ["n": .integer(5)])
        try fixture.store.put("c/out", ["n": .integer(1)])
        self.transaction = try fixture.begin()
    }

    private func set(_ text: String, n: Int64) throws -> [Write] {
        [.set(try path(text), fields: ["n": .integer(n)])]
    }

    @Test func `writes to a document that was read wait`() async throws {
        try fixture.read("c/in", in: transaction)
        #expect(try await !fixture.goesThrough(set("c/in", n: 6)))
        #expect(try await !fixture.goesThrough([.delete(path("c/in"))]))
        #expect(try await !fixture.goesThrough(set("c/out", n: 2) + set("c/in", n: 6)))
        #expect(try await fixture.goesThrough(set("c/out", n: 2)))
        #expect(try fixture.read("c/in", in: nil) == .integer(5))
    }

    @Test func `writes to a document that was missing wait`() async throws {
        try fixture.read("c/new", in: transaction)
        #expect(try await !fixture.goesThrough([.create(path("c/new"), fields: [:])]))
        #expect(try await fixture.goesThrough([.create(path("c/newer"), fields: [:])]))
    }

    @Test func `writes without effect and preconditions that fail wait too`() async throws {
        try fixture.read("c/in", in: transaction)
        try fixture.read("c/no", in: transaction)
        #expect(try await !fixture.goesThrough(set("c/in", n: 5)))
        #expect(try await !fixture.goesThrough([.delete(path("c/no"))]))
        #expect(try await !fixture.goesThrough([.delete(path("c/no"), precondition: .exists(true))]))
    }

    @Test(
        "writes into, within and out of a query's range wait",
        arguments: [
            ("c/in", 6, false), ("c/in", 1, false), ("c/out", 5, false), ("c/new", 5, false), ("c/out", 2, true),
            ("c/new", 1, true), ("d/new", 5, true), ("c/in/c/new", 5, true),
        ] as [(String, Int64, Bool)]
    )
    func ranges(text: String, number: Int64, goesThrough: Bool) async throws {
        try fixture.run(Query("c", where: .field(field("n"), .greaterThan, .integer(3))), in: transaction)
        #expect(await fixture.goesThrough(try set(text, n: number)) == goesThrough)
    }

    @Test func `a limit does not shrink the range`() async throws {
        #expect(try fixture.run(Query("c", limit: 1), in: transaction) == ["c/in"])
        #expect(try await !fixture.goesThrough(set("c/zzz", n: 1)))
    }

    @Test func `a transaction does not wait for itself, nor for readers outside`() async throws {
        try fixture.read("c/in", in: transaction)
        try fixture.run(Query("c"), in: transaction)
        try fixture.run(Query("c"), in: nil)
        #expect(try await fixture.goesThrough(set("c/in", n: 6), in: transaction))
    }

    @Test func `other databases are not concerned`() async throws {
        try fixture.run(Query("c"), in: transaction)
        try await fixture.commit("c/in", n: 1, of: other)
    }

    @Test func `readers never wait for a commit that waits`() async throws {
        try fixture.read("c/in", in: transaction)
        let writer = try await fixture.commitWaiting("c/in", n: 6)
        #expect(try fixture.read("c/in", in: nil) == .integer(5))
        #expect(try fixture.read("c/in", in: fixture.begin()) == .integer(5))
        try fixture.manager.rollback(transaction, in: demo)
        _ = try await writer.value
    }

    @Test func `clearing a database overtakes all who read it, and nobody else`() async throws {
        let others = try [fixture.begin(), fixture.begin(in: other)]
        try fixture.read("c/in", in: transaction)
        try fixture.read("c/in", in: others[1], of: other)
        try fixture.store.deleteAll(in: demo)
        #expect(try await fixture.goesThrough(set("c/in", n: 1)))
        #expect(try fixture.read("c/in", in: transaction) == .integer(1))
        #expect(await refusal { try await fixture.commit("c/a", n: 1, in: transaction) } == Refusal.contention)
        try await fixture.commit("c/a", n: 1, in: others[0])
        try await fixture.commit("c/a", n: 1, in: others[1], of: other)
        #expect(fixture.isIdle)
    }

    @Test func `an import overtakes all who read its database`() async throws {
        let others = try [fixture.begin(), fixture.begin(in: other)]
        try fixture.read("c/in", in: transaction)
        try fixture.read("c/in", in: others[1], of: other)
        try fixture.store.importing { target in
            try target.put(path("c/in"), fields: EncodedFields(["n": .integer(9)]), in: demo)
        }
        #expect(await refusal { try await fixture.commit("c/a", n: 1, in: transaction) } == Refusal.contention)
        #expect(try await fixture.goesThrough(set("c/in", n: 1)))
        try await fixture.commit("c/a", n: 1, in: others[0])
        try await fixture.commit("c/a", n: 1, in: others[1], of: other)
        #expect(fixture.isIdle)
    }

    @Test func `clearing aborts those who wait to commit`() async throws {
        let waiting = try fixture.begin()
        try fixture.read("c/in", in: waiting)
        try fixture.read("c/out", in: transaction)
        let commit = try await fixture.commitWaiting("c/out", n: 1_000, in: waiting)
        try fixture.store.deleteAll(in: demo)
        #expect(await refusal { _ = try await commit.value } == Refusal.contention)
    }

    @Test func `a write past the manager overtakes`() async throws {
        try fixture.read("c/in", in: transaction)
        try fixture.store.put("c/in", ["n": .integer(7)])
        // Its locks are of no use any more.
        try await fixture.commit("c/in", n: 8)
        let write = Write.create(try path("c/in"), fields: [:])
        #expect(
            await refusal { _ = try await fixture.manager.commit([write], in: demo, transaction: transaction) }
                == Refusal.contention
        )
        #expect(await refusal { try await fixture.commit("c/in", n: 1, in: transaction) } == Refusal.over)
        try fixture.manager.rollback(transaction, in: demo)
    }

    @Test func `an overtaken transaction cannot even end without writes`() async throws {
        try fixture.read("c/in", in: transaction)
        try fixture.store.put("c/in", ["n": .integer(7)])
        #expect(
            await refusal { _ = try await fixture.manager.commit([], in: demo, transaction: transaction) }
                == Refusal.contention
        )
    }
}
