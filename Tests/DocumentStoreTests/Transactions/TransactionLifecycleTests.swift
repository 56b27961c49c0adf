// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// The outcome of a transaction's id; recorded from production: t-k/fireemu, FS-TRANSACTION (2026-10).
@Suite(.timeLimit(.minutes(5)))
struct TransactionLifecycleTests {
    private let fixture: TransactionFixture

    init() throws {
        self.fixture = try TransactionFixture(times: .production)
    }

    /// The errors of reading, committing and rolling back, in this order.
    private func answers(_ id: TransactionID, in database: DatabaseID = demo) async -> [String?] {
        [
            refusal { try fixture.read("c/z", in: id, of: database) },
            await refusal { try await fixture.commit("c/z", n: 1, in: id, of: database) },
            refusal { try fixture.manager.rollback(id, in: database) },
        ]
    }

    @Test func `a commit stores the writes and ends the transaction`() async throws {
        let id = try fixture.begin()
        #expect(try fixture.read("c/a", in: id) == nil)
        let result = try await fixture.commit("c/a", n: 1, in: id)
        #expect(result.billedWrites == 1)
        #expect(try fixture.read("c/a", in: nil) == .integer(1))
        #expect(await answers(id) == [Refusal.over, Refusal.over, Refusal.over])
        #expect(fixture.isIdle)
    }

    @Test func `a commit without writes ends the transaction at the time of reading`() async throws {
        let id = try fixture.begin()
        try fixture.read("c/a", in: id)
        let result = try await fixture.manager.commit([], in: demo, transaction: id)
        #expect(result.results == [])
        #expect(result.commitTime >= noon)
        #expect(await answers(id) == [Refusal.over, Refusal.over, Refusal.over])
        #expect(fixture.isIdle)
    }

    @Test func `a rollback may be repeated`() async throws {
        let id = try fixture.begin()
        try fixture.read("c/a", in: id)
        try fixture.manager.rollback(id, in: demo)
        #expect(await answers(id) == [Refusal.over, Refusal.over, nil])
        #expect(fixture.isIdle)
    }

    @Test func `a refused commit ends the transaction and frees its locks`() async throws {
        let id = try fixture.begin()
        try fixture.read("c/a", in: id)
        let write = Write.delete(try path("c/no"), precondition: .exists(true))
        let name = "projects/demo/databases/(default)/documents/c/no"
        #expect(
            await refusal { _ = try await fixture.manager.commit([write], in: demo, transaction: id) }
                == "NOT_FOUND: No document to update: \(name)"
        )
        #expect(await answers(id) == [Refusal.refused, Refusal.refused, nil])
        #expect(await answers(id)[2] == nil)
        #expect(fixture.isIdle)
        try await fixture.commit("c/a", n: 1)
    }

    @Test func `ids are unknown elsewhere, garbled, or after a restart`() async throws {
        let id = try fixture.begin()
        #expect(id.bytes.count == TransactionID.byteCount)
        let unknown = [String?](repeating: Refusal.unknown, count: 3)
        #expect(await answers(id, in: other) == unknown)
        #expect(await answers(TransactionID(bytes: [])) == unknown)
        #expect(await answers(TransactionID(bytes: id.bytes.dropLast() + [0])) == unknown)
        let reopened = TransactionManager(store: fixture.store)
        #expect(throws: FirestoreError.transactionUnknown) { try reopened.rollback(id, in: demo) }
        try fixture.read("c/a", in: id)
    }

    @Test func `no two transactions have the same id`() throws {
        let ids = try (0..<100).map { _ in try fixture.begin() }
        #expect(Set(ids).count == 100)
    }

    @Test func `a transaction that is not used expires and can be rolled back`() async throws {
        let id = try fixture.begin()
        try fixture.read("c/a", in: id)
        fixture.clock.advance(by: .seconds(119))
        try fixture.read("c/a", in: id)
        fixture.clock.advance(by: .seconds(120))
        #expect(await answers(id) == [Refusal.over, Refusal.over, nil])
        #expect(fixture.isIdle)
        fixture.clock.advance(by: .seconds(40))
        #expect(await answers(id) == [Refusal.over, Refusal.over, Refusal.over])
        fixture.clock.advance(by: .seconds(30))
        #expect(await answers(id) == [Refusal.unknown, Refusal.unknown, Refusal.unknown])
    }

    @Test func `a transaction does not outlive its total time, however busy`() async throws {
        let id = try fixture.begin()
        for _ in 0..<26 {
            fixture.clock.advance(by: .seconds(10))
            try fixture.read("c/a", in: id)
        }
        fixture.clock.advance(by: .seconds(10))
        #expect(await answers(id) == [Refusal.over, Refusal.over, Refusal.over])
    }

    @Test func `expired transactions make room for others`() throws {
        let fixture = try TransactionFixture(limits: TransactionLimits(liveCountMax: 2))
        let ids = try [fixture.begin(), fixture.begin(), fixture.begin(in: other)]
        let message = "RESOURCE_EXHAUSTED: 2 transactions are open in this database. Commit or roll back some of them."
        #expect(refusal { _ = try fixture.begin() } == message)
        try fixture.manager.rollback(ids[0], in: demo)
        _ = try fixture.begin()
        fixture.clock.advance(by: .seconds(60))
        _ = try fixture.begin()
        _ = try fixture.begin()
        #expect(refusal { _ = try fixture.begin() } == message)
    }

    @Test func `ended transactions are forgotten when too many are remembered`() async throws {
        let fixture = try TransactionFixture(limits: TransactionLimits(endedCountMax: 3))
        let ids = try (0..<10).map { _ in
            let id = try fixture.begin()
            try fixture.manager.rollback(id, in: demo)
            return id
        }
        let known = ids.map { id in refusal { try fixture.manager.rollback(id, in: demo) } == nil }
        #expect(known == [Bool](repeating: false, count: 7) + [true, true, true])
    }

    @Test func `what ended long ago is forgotten`() throws {
        for _ in 0..<10 { try fixture.manager.rollback(fixture.begin(), in: demo) }
        fixture.clock.advance(by: .seconds(301))
        _ = try fixture.begin()
        #expect(fixture.manager.core.update { $0.book.knownCount } == 1)
    }

    @Test func `a retry may name whatever ended, but no read-only one`() async throws {
        let committed = try fixture.begin()
        try await fixture.commit("c/a", n: 1, in: committed)
        _ = try fixture.begin(retrying: committed)
        let rolledBack = try fixture.begin()
        try fixture.manager.rollback(rolledBack, in: demo)
        _ = try fixture.begin(retrying: rolledBack)
        let idle = try fixture.begin()
        fixture.clock.advance(by: .seconds(130))
        _ = try fixture.begin(retrying: idle)
        fixture.clock.advance(by: .seconds(150))
        _ = try fixture.begin(retrying: idle)
        fixture.clock.advance(by: .seconds(30))
        #expect(refusal { _ = try fixture.begin(retrying: idle) } == Refusal.unknown)
        #expect(refusal { _ = try fixture.begin(retrying: TransactionID(bytes: [0])) } == Refusal.unknown)
        let readOnly = try fixture.manager.begin(.readOnly(readTime: nil), in: demo)
        #expect(
            refusal { _ = try fixture.begin(retrying: readOnly) }
                == "INVALID_ARGUMENT: Cannot retry a read-only transaction"
        )
    }

    @Test func `a retry ends the attempt it replaces`() async throws {
        let former = try fixture.begin()
        try fixture.read("c/a", in: former)
        let retry = try fixture.begin(retrying: former)
        #expect(fixture.isIdle)
        #expect(await answers(former) == [Refusal.over, Refusal.over, nil])
        try await fixture.commit("c/a", n: 1, in: retry)
    }

    @Test func `an invalid query is refused and the transaction lives on`() throws {
        let id = try fixture.begin()
        #expect(refusal { try fixture.run(Query("c", limit: -1), in: id) } == "INVALID_ARGUMENT: limit is negative")
        try fixture.read("c/a", in: id)
    }

    @Test func `nothing works once closed`() async throws {
        let id = try fixture.begin()
        fixture.manager.close()
        #expect(await answers(id) == [Refusal.closed, Refusal.closed, Refusal.closed])
        #expect(refusal { _ = try fixture.begin() } == Refusal.closed)
        #expect(await refusal { try await fixture.commit("c/a", n: 1) } == Refusal.closed)
        #expect(try fixture.read("c/a", in: nil) == nil)
    }
}
