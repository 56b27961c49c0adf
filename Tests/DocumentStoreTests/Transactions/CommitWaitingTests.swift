// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// How long commits wait, and in which order they continue.
@Suite(.timeLimit(.minutes(5)))
struct CommitWaitingTests {
    private let fixture: TransactionFixture

    init() throws {
        self.fixture = try TransactionFixture()
    }

    @Test(arguments: [true, false])
    func `a commit goes on when the transaction it waits for ends`(holderCommits: Bool) async throws {
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 2)
        if holderCommits {
            try await fixture.commit("c/a", n: 1, in: holder)
        } else {
            try fixture.manager.rollback(holder, in: demo)
        }
        _ = try await writer.value
        #expect(try fixture.read("c/a", in: nil) == .integer(2))
        #expect(fixture.isIdle)
    }

    @Test func `a commit waits until all blockers ended`() async throws {
        let holders = try (0..<3).map { _ in try fixture.begin() }
        for holder in holders { try fixture.read("c/a", in: holder) }
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        try fixture.manager.rollback(holders[1], in: demo)
        try fixture.manager.rollback(holders[0], in: demo)
        #expect(fixture.waitingCount == 1)
        try fixture.manager.rollback(holders[2], in: demo)
        _ = try await writer.value
    }

    @Test func `a commit that waited too long is aborted and nothing is written`() async throws {
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        await fixture.clock.awaitSleeper(until: .seconds(2))
        fixture.clock.advance(by: .seconds(2))
        #expect(await refusal { _ = try await writer.value } == Refusal.contention)
        #expect(try fixture.read("c/a", in: nil) == nil)
        try await fixture.commit("c/a", n: 2, in: holder)
        #expect(fixture.isIdle)
    }

    @Test func `the time of waiting is not prolonged by new blockers`() async throws {
        let elder = try fixture.begin()
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        await fixture.clock.awaitSleeper(until: .seconds(2))
        fixture.clock.advance(by: .seconds(1))
        try fixture.read("c/a", in: elder)
        try fixture.manager.rollback(holder, in: demo)
        // It began before the writer did.
        while fixture.waitingCount == 0 { await Task.yield() }
        await fixture.clock.awaitSleeper(until: .seconds(2))
        fixture.clock.advance(by: .seconds(1))
        #expect(await refusal { _ = try await writer.value } == Refusal.contention)
    }

    @Test func `a waiting commit notices that its blocker expired`() async throws {
        let fixture = try TransactionFixture(times: .production)
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        fixture.clock.advance(by: .seconds(110))
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        await fixture.clock.awaitSleeper(until: .seconds(120))
        try fixture.read("c/a", in: holder)
        fixture.clock.advance(by: .seconds(10))
        // The read put it off: the waiting ends first.
        await fixture.clock.awaitSleeper(until: .seconds(130))
        try fixture.manager.rollback(holder, in: demo)
        _ = try await writer.value
        let next = try fixture.begin()
        try fixture.read("c/a", in: next)
        fixture.clock.advance(by: .seconds(119))
        let last = try await fixture.commitWaiting("c/a", n: 2)
        await fixture.clock.awaitSleeper(until: .seconds(240))
        fixture.clock.advance(by: .seconds(1))
        _ = try await last.value
        #expect(await refusal { try await fixture.commit("c/a", n: 3, in: next) } == Refusal.over)
    }

    @Test func `nobody waits for a transaction that expired before`() async throws {
        try fixture.read("c/a", in: fixture.begin())
        fixture.clock.advance(by: .seconds(60))
        try await fixture.commit("c/a", n: 1)
    }

    @Test func `a cancelled commit is withdrawn, and its transaction with it`() async throws {
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let waiting = try fixture.begin()
        try fixture.read("c/b", in: waiting)
        let commit = try await fixture.commitWaiting("c/a", n: 1, in: waiting)
        commit.cancel()
        await #expect(throws: CancellationError.self) { try await commit.value }
        #expect(fixture.waitingCount == 0)
        try await fixture.commit("c/b", n: 1)
        #expect(await refusal { try await fixture.commit("c/b", n: 2, in: waiting) } == Refusal.over)
        try await fixture.commit("c/a", n: 2, in: holder)
        #expect(fixture.isIdle)
    }

    @Test func `once the server stops, no commit waits, and those that need not are made`() async throws {
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        fixture.manager.stopWaiting()
        #expect(await refusal { _ = try await writer.value } == Refusal.closed)
        #expect(await refusal { try await fixture.commit("c/a", n: 2) } == Refusal.closed)
        try await fixture.commit("c/b", n: 3)
        try await fixture.commit("c/a", n: 4, in: holder)
        #expect(fixture.isIdle)
    }

    @Test func `a commit whose task was cancelled before does not begin to wait`() async throws {
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let fixture = fixture
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await fixture.commit("c/a", n: 1)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a rollback or a retry takes back a commit that waits`() async throws {
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let first = try fixture.begin()
        let firstCommit = try await fixture.commitWaiting("c/a", n: 1, in: first)
        try fixture.manager.rollback(first, in: demo)
        #expect(await refusal { _ = try await firstCommit.value } == Refusal.over)
        let second = try fixture.begin()
        let secondCommit = try await fixture.commitWaiting("c/a", n: 1, in: second)
        _ = try fixture.begin(retrying: second)
        #expect(await refusal { _ = try await secondCommit.value } == Refusal.over)
        #expect(try fixture.read("c/a", in: nil) == nil)
    }

    @Test func `closing ends the waiting`() async throws {
        try fixture.read("c/a", in: fixture.begin())
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        fixture.manager.close()
        #expect(await refusal { _ = try await writer.value } == Refusal.closed)
    }

    @Test func `too many waiting commits are refused`() async throws {
        let fixture = try TransactionFixture(limits: TransactionLimits(waitingCommitCountMax: 1))
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        #expect(
            await refusal { try await fixture.commit("c/a", n: 2) }
                == "RESOURCE_EXHAUSTED: 1 commits are waiting for transactions to end. Try again later."
        )
        try fixture.manager.rollback(holder, in: demo)
        _ = try await writer.value
    }

    @Test func `those who read after a commit began to wait do not hold it up`() async throws {
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        let late = try fixture.begin()
        #expect(try fixture.read("c/a", in: late) == nil)
        try fixture.manager.rollback(holder, in: demo)
        _ = try await writer.value
        #expect(await refusal { try await fixture.commit("c/b", n: 1, in: late) } == Refusal.contention)
        let retry = try fixture.begin(retrying: late)
        #expect(try fixture.read("c/a", in: retry) == .integer(1))
        try await fixture.commit("c/b", n: 1, in: retry)
    }

    @Test func `a writer is not held up forever by ever new readers`() async throws {
        var holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        for _ in 0..<10 {
            let next = try fixture.begin()
            try fixture.read("c/a", in: next)
            try fixture.manager.rollback(holder, in: demo)
            holder = next
        }
        _ = try await writer.value
        #expect(try fixture.read("c/a", in: nil) == .integer(1))
    }

    @Test func `a waiting commit does not overtake transactions older than it`() async throws {
        let elder = try fixture.begin()
        let holder = try fixture.begin()
        try fixture.read("c/a", in: holder)
        let writer = try await fixture.commitWaiting("c/a", n: 1)
        try fixture.read("c/a", in: elder)
        try fixture.manager.rollback(holder, in: demo)
        while fixture.waitingCount == 0 { await Task.yield() }
        try await fixture.commit("c/a", n: 2, in: elder)
        _ = try await writer.value
        #expect(try fixture.read("c/a", in: nil) == .integer(1))
    }
}
