// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers
import Testing

@testable import DocumentStore
@testable import FirestoreModel

@Suite(.timeLimit(.minutes(5)))
struct ReadOnlyTransactionTests {
    private let fixture: TransactionFixture

    init() throws {
        self.fixture = try TransactionFixture()
    }

    private func begin(at time: Timestamp? = nil) throws -> TransactionID {
        try fixture.manager.begin(.readOnly(readTime: time), in: demo)
    }

    /// The time at which a read is asked to read.
    private func readTime(in id: TransactionID?, at time: Timestamp? = nil) throws -> Timestamp? {
        try fixture.manager.read(in: id, at: time, of: demo, locking: .documents([])) { $0 }
    }

    @Test func `the first read fixes the time`() async throws {
        let id = try begin()
        let before = try await fixture.commit("c/a", n: 1).commitTime
        let time = try #require(try readTime(in: id))
        #expect(time >= before)
        let after = try await fixture.commit("c/a", n: 2).commitTime
        #expect(time < after)
        #expect(try readTime(in: id) == time)
        #expect(try await fixture.manager.commit([], in: demo, transaction: id).commitTime == time)
    }

    @Test func `a time may be given, within the last hour`() async throws {
        let isOpen = NIOLockedValueBox(false)
        let store = try SQLiteDocumentStore(
            location: .memory,
            clock: {
                isOpen.withLockedValue { isOpen in
                    defer { isOpen = true }
                    return isOpen ? noon : Timestamp(seconds: noon.seconds - 7_200)
                }
            }
        )
        let fixture = try TransactionFixture(store: store)
        func begin(at time: Timestamp) throws -> TransactionID {
            try fixture.manager.begin(.readOnly(readTime: time), in: demo)
        }
        func readTime(in id: TransactionID) throws -> Timestamp? {
            try fixture.manager.read(in: id, of: demo, locking: .documents([])) { $0 }
        }
        let now = try await fixture.commit("c/a", n: 1).commitTime
        #expect(try readTime(in: begin(at: now)) == now)
        let precise = Timestamp(seconds: now.seconds, nanoseconds: now.nanoseconds + 999)
        #expect(
            try readTime(in: begin(at: Timestamp(seconds: now.seconds - 1, nanoseconds: 1_999)))?.nanoseconds == 1_000
        )
        #expect(
            refusal { _ = try begin(at: Timestamp(seconds: precise.seconds + 1)) }
                == "INVALID_ARGUMENT: The requested 'read_time' cannot be in the future."
        )
        #expect(
            refusal { _ = try begin(at: Timestamp(seconds: now.seconds - 3_601)) }
                == "FAILED_PRECONDITION: The requested 'read_time' is too old."
        )
        #expect(
            refusal { _ = try begin(at: Timestamp(seconds: now.seconds - 7_201)) }
                == "INVALID_ARGUMENT: The requested 'read_time' cannot be before database creation time."
        )
    }

    @Test func `reads outside of transactions get the time they ask for`() throws {
        #expect(try readTime(in: nil) == nil)
        #expect(try readTime(in: nil, at: noon) == noon)
    }

    @Test func `it neither holds up writers nor is overtaken`() async throws {
        let id = try begin()
        try fixture.read("c/a", in: id)
        try fixture.run(Query("c"), in: id)
        try await fixture.commit("c/a", n: 1)
        try fixture.store.deleteAll(in: demo)
        _ = try await fixture.manager.commit([], in: demo, transaction: id)
    }

    @Test func `it refuses writes and is over then`() async throws {
        let id = try begin()
        try fixture.read("c/a", in: id)
        #expect(await refusal { try await fixture.commit("c/a", n: 1, in: id) } == Refusal.readOnly)
        #expect(refusal { try fixture.read("c/a", in: id) } == Refusal.refused)
        #expect(
            await refusal { _ = try await fixture.manager.commit([], in: demo, transaction: id) } == Refusal.refused
        )
        try fixture.manager.rollback(id, in: demo)
    }
}
