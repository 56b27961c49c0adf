// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Reads at times gone by.
struct VersionTests {
    private let clock = TestClock()
    private let directory: TemporaryDirectory
    private let store: SQLiteDocumentStore

    init() throws {
        let clock = self.clock
        self.directory = TemporaryDirectory()
        var limits = IndexLimits()
        limits.scanCountMax = -1
        self.store = try SQLiteDocumentStore(
            location: directory.file,
            clock: { clock.now },
            durability: .deferred,
            indexLimits: limits
        )
    }

    /// Everything that can be asked, after each of many random commits and then again at the time of each.
    @Test(arguments: [51, 52] as [UInt64])
    func `the past stays as it was`(seed: UInt64) throws {
        var random = try RandomQueries(seed: seed)
        let queries = try (0..<25).map { _ in try random.query() }.filter { (try? $0.validate()) != nil }
        var moments: [(time: Timestamp, answers: Answers)] = []
        for _ in 0..<15 {
            clock.advance(seconds: 60)
            let deletions = try (0..<3).map { _ in Write.delete(try random.path()) }
            let sets = try (0..<5).map { _ in Write.set(try random.path(), fields: random.fields()) }
            // A document deleted and set again is another one.
            let again = deletions.prefix(1).map { Write.set($0.path, fields: ["a": .integer(1)]) }
            let time = try store.commit(sets + deletions + again, in: demo).commitTime
            moments.append((time, try Answers(store, queries, at: nil)))
        }
        for moment in moments {
            let answers = try Answers(store, queries, at: moment.time)
            #expect(answers == moment.answers)
        }
    }

    @Test func `tells what changed in a scope, and what it was`() throws {
        try store.put("c/same", ["a": .integer(0)])
        try store.put("c/changed", ["a": .integer(1)])
        try store.put("c/deleted", ["a": .integer(2)])
        let time = try store.get([], in: demo).readTime
        try store.put("c/changed", ["a": .integer(3)])
        try store.put("c/changed", ["a": .integer(4)])
        _ = try store.commit([.delete(path("c/deleted"))], in: demo)
        try store.put("c/created", [:])
        try store.put("c/x/c/below", [:])
        try store.put("d/elsewhere", [:])
        let former = try store.read { snapshot in
            try snapshot.formerDocuments(in: .collection(CollectionPath(parsing: "c")), of: demo, since: time)
        }
        #expect(former.count == 3)
        #expect(try former[path("c/changed")]??.fields == ["a": .integer(1)])
        #expect(try former[path("c/deleted")]??.fields == ["a": .integer(2)])
        #expect(try former[path("c/created")] == .some(nil))
        let group = try store.read { try $0.formerDocuments(in: .group("c", under: nil), of: demo, since: time) }
        #expect(group.count == 4)
        let below = try store.read { snapshot in
            try snapshot.formerDocuments(in: .group("c", under: path("c/x")), of: demo, since: time)
        }
        #expect(below.count == 1)
        try store.read { snapshot in
            let changed = try snapshot.document(at: path("c/changed"), in: demo, asOf: time)
            #expect(try changed?.fields == ["a": .integer(1)])
            let created = try snapshot.document(at: path("c/created"), in: demo, asOf: time)
            #expect(created == nil)
        }
    }

    @Test func `refuses times it knows nothing of`() throws {
        let start = clock.now
        try store.put("c/a", [:])
        clock.advance(seconds: 3_700)
        let path = try path("c/a")
        func message(_ time: Timestamp) -> String? {
            refusal { _ = try store.get([path], in: demo, at: time) }
        }
        let now = clock.now
        #expect(message(now) == nil)
        #expect(
            message(Timestamp(seconds: now.seconds + 1))
                == "INVALID_ARGUMENT: The requested 'read_time' cannot be in the future."
        )
        #expect(message(start) == "FAILED_PRECONDITION: The requested 'read_time' is too old.")
        #expect(
            message(Timestamp(microseconds: start.microseconds - 1))
                == "INVALID_ARGUMENT: The requested 'read_time' cannot be before database creation time."
        )
        #expect(
            message(Timestamp(seconds: now.seconds, nanoseconds: 1))
                == "INVALID_ARGUMENT: timestamp cannot have more than microseconds precision"
        )
        try store.deleteAll(in: demo)
        #expect(message(now) == "FAILED_PRECONDITION: The requested 'read_time' is too old.")
        #expect(message(try store.get([], in: demo).readTime) == nil)
    }

    @Test func `its first moment outlives a restart, and nothing is known before it`() throws {
        let start = clock.now
        let before = Timestamp(seconds: clock.now.seconds - 60)
        try store.put("c/a", [:])
        let creation = "INVALID_ARGUMENT: The requested 'read_time' cannot be before database creation time."
        #expect(refusal { _ = try store.run(Query("c"), in: demo, at: before) } == creation)
        #expect(refusal { _ = try store.collectionIDs(under: nil, in: demo, at: before) } == creation)
        let message = refusal {
            _ = try store.read { try $0.formerDocuments(in: .group("c", under: nil), of: demo, since: before) }
        }
        #expect(message == "FAILED_PRECONDITION: The requested 'read_time' is too old.")
        try store.close()
        clock.advance(seconds: 60)
        let clock = self.clock
        let again = try SQLiteDocumentStore(location: directory.file, clock: { clock.now })
        #expect(refusal { _ = try again.run(Query("c"), in: demo, at: before) } == creation)
        #expect(try again.run(Query("c"), in: demo, at: start).documents.count == 1)
    }

    @Test func `a read at a time keeps later commits from that time`() throws {
        try store.put("c/a", ["n": .integer(1)])
        clock.advance(seconds: 10)
        let time = clock.now
        #expect(try store.run(Query("c"), in: demo, at: time).readTime == time)
        #expect(try store.commit([.delete(path("c/a"))], in: demo).commitTime > time)
        #expect(try store.run(Query("c"), in: demo, at: time).documents.count == 1)
    }

    @Test func `versions go once nobody may ask for them`() throws {
        func versionCount() throws -> Int64 {
            try store.read { try $0.db.value("SELECT count(*) FROM versions") }
        }
        for number in 0..<100 {
            try store.put("c/a", ["n": .integer(Int64(number))])
        }
        #expect(try versionCount() == 99)
        clock.advance(seconds: 3_601)
        for number in 100..<115 {
            try store.put("c/a", ["n": .integer(Int64(number))])
        }
        #expect(try versionCount() == 15)
        clock.advance(seconds: 3_601)
        try store.close()
        let clock = self.clock
        let again = try SQLiteDocumentStore(location: directory.file, clock: { clock.now })
        #expect(try again.read { try $0.db.value("SELECT count(*) FROM versions") } == 0)
        #expect(try again.fields("c/a") == ["n": .integer(114)])
    }
}

/// The contents of a store at a time.
private struct Answers: Equatable {
    private let documents: [[Document]]
    private let counts: [Int]
    private let collectionIDs: [String]
    private let names: [[LookupResult.Entry]]

    init(_ store: SQLiteDocumentStore, _ queries: [Query], at time: Timestamp?) throws {
        documents = try queries.map { try store.run($0, in: demo, at: time).documents }
        counts = try queries.map { try store.count($0, in: demo, at: time).count }
        collectionIDs =
            try store.collectionIDs(under: nil, in: demo, at: time)
            + store.collectionIDs(under: path("c/p"), in: demo, at: time)
        names = try ["c", "c/p/r"].map { collection in
            let request = ListRequest(
                collection: try CollectionPath(parsing: collection),
                pageSize: 150,
                showsMissing: true
            )
            return try store.list(request, in: demo, at: time).entries
        }
    }
}

/// A clock that moves when it is advanced.
private final class TestClock: Sendable {
    private let time = NIOLockedValueBox(noon)

    var now: Timestamp { time.withLockedValue(\.self) }

    func advance(seconds: Int64) {
        time.withLockedValue { $0 = Timestamp(seconds: $0.seconds + seconds, nanoseconds: $0.nanoseconds) }
    }
}
