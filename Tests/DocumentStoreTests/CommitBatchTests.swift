// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Commits that are made one after the other, in transactions of the file that they share.
@Suite(.timeLimit(.minutes(5)))
struct CommitBatchTests {
    private static func makeStore(_ durability: StoreDurability) throws -> SQLiteDocumentStore {
        try SQLiteDocumentStore(location: .memory, clock: { noon }, durability: durability)
    }

    /// More than one transaction takes.
    private static let count = 300

    @Test(arguments: [StoreDurability.deferred, .full])
    func `each is made or refused on its own, in order`(durability: StoreDurability) throws {
        let store = try Self.makeStore(durability)
        try store.put("c/7", ["old": .boolean(true)])
        let queuedCount = NIOLockedValueBox(0)
        let outcomes = store.commitEach(
            try (0..<Self.count).map { [.create(try path("c/\($0)"), fields: [:])] },
            in: demo,
            queued: { queuedCount.withLockedValue { $0 += 1 } }
        )
        #expect(queuedCount.withLockedValue(\.self) == 1)
        #expect(outcomes.indices.filter { (try? outcomes[$0].get()) == nil } == [7])
        #expect(refusal { _ = try outcomes[7].get() }?.hasPrefix("ALREADY_EXISTS") == true)
        let times = outcomes.compactMap { try? $0.get().commitTime }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try store.count(Query("c"), in: demo).count == Self.count)
        #expect(try store.fields("c/7") == ["old": .boolean(true)])
    }

    @Test func `an empty batch is nothing`() throws {
        #expect(try Self.makeStore(.full).commitEach([], in: demo).isEmpty)
    }

    @Test(arguments: [StoreDurability.deferred, .full])
    func `batches of many threads are all made`(durability: StoreDurability) async throws {
        let store = try Self.makeStore(durability)
        let made = try await Threads.run(count: 4) { thread in
            let increment = FieldTransform(try field("n"), .increment(.integer(1)))
            let batch = try (0..<Self.count).map { [Write.transform(try path("c/\($0 % 50)"), [increment])] }
            return try store.commitEach(batch, in: demo).map { try $0.get().commitTime }
        }
        #expect(Set(made.flatMap(\.self)).count == 4 * Self.count)
        for number in 0..<50 {
            #expect(try store.fields("c/\(number)") == ["n": .integer(Int64(4 * Self.count / 50))])
        }
    }

    @Test func `one that waits for a transaction does not hold up the others`() async throws {
        let fixture = try TransactionFixture()
        let holder = try fixture.begin()
        try fixture.read("c/1", in: holder)
        let batch = try (0..<3).map { [Write.set(try path("c/\($0)"), fields: ["n": .integer(1)])] }
        let started = fixture.manager.startCommits(batch, in: demo)
        var waiting: [Int: WaitingCommit] = [:]
        for (index, outcome) in started.enumerated() {
            if case .waiting(let commit) = try outcome.get() { waiting[index] = commit }
        }
        #expect(waiting.keys.sorted() == [1])
        #expect(try (0..<3).map { try fixture.store.fields("c/\($0)") != nil } == [true, false, true])
        try fixture.manager.rollback(holder, in: demo)
        _ = try await fixture.manager.finish(try #require(waiting[1]))
        #expect(try fixture.store.fields("c/1") == ["n": .integer(1)])
        #expect(fixture.isIdle)
    }
}
