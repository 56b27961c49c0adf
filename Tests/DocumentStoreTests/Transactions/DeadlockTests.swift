// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Commits that wait for each other.
@Suite(.timeLimit(.minutes(5)))
struct DeadlockTests {
    private let fixture: TransactionFixture

    init() throws {
        self.fixture = try TransactionFixture()
    }

    @Test(arguments: [true, false])
    func `of two that read and both write the younger is aborted at once`(elderCommitsFirst: Bool) async throws {
        let elder = try fixture.begin()
        let younger = try fixture.begin()
        try fixture.read("c/a", in: younger)
        try fixture.read("c/a", in: elder)
        if elderCommitsFirst {
            let commit = try await fixture.commitWaiting("c/a", n: 1, in: elder)
            #expect(await refusal { try await fixture.commit("c/a", n: 2, in: younger) } == Refusal.contention)
            _ = try await commit.value
        } else {
            let commit = try await fixture.commitWaiting("c/a", n: 2, in: younger)
            try await fixture.commit("c/a", n: 1, in: elder)
            #expect(await refusal { _ = try await commit.value } == Refusal.contention)
        }
        #expect(try fixture.read("c/a", in: nil) == .integer(1))
        #expect(fixture.isIdle)
        try fixture.manager.rollback(younger, in: demo)
    }

    @Test func `of three in a circle only the youngest is aborted`() async throws {
        let transactions = try (0..<3).map { _ in try fixture.begin() }
        for (index, transaction) in transactions.enumerated() {
            try fixture.read("c/\(index)", in: transaction)
        }
        let first = try await fixture.commitWaiting("c/1", n: 0, in: transactions[0])
        let last = try await fixture.commitWaiting("c/0", n: 2, in: transactions[2])
        let middle = Task { [fixture, transactions] in try await fixture.commit("c/2", n: 1, in: transactions[1]) }
        #expect(await refusal { _ = try await last.value } == Refusal.contention)
        _ = try await middle.value
        _ = try await first.value
        #expect(try fixture.read("c/1", in: nil) == .integer(0))
        #expect(try fixture.read("c/2", in: nil) == .integer(1))
        #expect(try fixture.read("c/0", in: nil) == nil)
        #expect(fixture.isIdle)
    }

    @Test func `a retry keeps the age of the first attempt`() async throws {
        let original = try fixture.begin()
        let rival = try fixture.begin()
        let retry = try fixture.begin(retrying: fixture.begin(retrying: original))
        try fixture.read("c/a", in: rival)
        try fixture.read("c/a", in: retry)
        let commit = try await fixture.commitWaiting("c/a", n: 2, in: rival)
        try await fixture.commit("c/a", n: 1, in: retry)
        #expect(await refusal { _ = try await commit.value } == Refusal.contention)
    }

    @Test func `one commit can close several circles`() async throws {
        let elder = try fixture.begin()
        let rivals = try (0..<3).map { _ in try fixture.begin() }
        try fixture.read("c/x", in: elder)
        for (index, rival) in rivals.enumerated() { try fixture.read("c/\(index)", in: rival) }
        var commits: [Task<CommitResult, any Error>] = []
        for rival in rivals { commits.append(try await fixture.commitWaiting("c/x", n: 1, in: rival)) }
        let writes = try (0..<3).map { Write.set(try path("c/\($0)"), fields: ["n": .integer(7)]) }
        _ = try await fixture.manager.commit(writes, in: demo, transaction: elder)
        for commit in commits {
            #expect(await refusal { _ = try await commit.value } == Refusal.contention)
        }
        #expect(fixture.isIdle)
    }

    @Test func `many who increment one counter all succeed when they retry`() async throws {
        let fixture = fixture
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await increment("c/a", fixture) }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.read("c/a", in: nil) == .integer(20))
        #expect(fixture.isIdle)
    }

    private func increment(_ text: String, _ fixture: TransactionFixture) async throws {
        var former: TransactionID?
        while true {
            let id = try fixture.begin(retrying: former)
            former = id
            var number: Int64 = 0
            if case .integer(let stored) = try fixture.read(text, in: id) { number = stored }
            await Task.yield()
            do {
                try await fixture.commit(text, n: number + 1, in: id)
                return
            } catch FirestoreError.contention {
                continue
            }
        }
    }
}

extension FirestoreError {
    fileprivate static func ~= (pattern: FirestoreError, error: any Error) -> Bool {
        (error as? FirestoreError) == pattern
    }
}
