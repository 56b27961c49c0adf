// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// A store that acknowledges commits before they are in the file.
@Suite(.timeLimit(.minutes(5)))
struct DeferredStoreTests {
    private let directory: TemporaryDirectory
    private let store: SQLiteDocumentStore

    init() throws {
        directory = TemporaryDirectory()
        store = try Self.open(.deferred, directory)
    }

    private static func open(
        _ durability: StoreDurability,
        _ directory: TemporaryDirectory
    ) throws -> SQLiteDocumentStore {
        var limits = IndexLimits()
        limits.scanCountMax = -1
        return try SQLiteDocumentStore(
            location: directory.file,
            clock: { noon },
            durability: durability,
            indexLimits: limits
        )
    }

    @Test func `every kind of read sees a commit at once`() throws {
        let byField = Query("c", where: .field(try field("a"), .greaterThan, .integer(0)))
        let reads: [(String, () throws -> Bool)] = [
            ("get", { try store.fields("c/x") == ["a": .integer(1)] }),
            ("get of several", { try store.get([path("c/x"), path("c/y")], in: demo).entries.count == 2 }),
            ("query", { try store.paths(Query("c")) == ["c/x"] }),
            ("query by a field", { try store.paths(byField) == ["c/x"] }),
            ("count", { try store.count(byField, in: demo).count == 1 }),
            ("list", { try store.collectionIDs(under: nil, in: demo) == ["c"] }),
        ]
        for (name, isSeen) in reads {
            try store.put("c/x", ["a": .integer(1)])
            #expect(try isSeen(), "\(name)")
            _ = try store.commit([.delete(path("c/x"))], in: demo)
            #expect(try store.paths(byField).isEmpty, "\(name)")
            #expect(try store.fields("c/x") == nil, "\(name)")
        }
    }

    @Test func `a commit finds what the ones before it left`() throws {
        try store.put("c/x", ["n": .integer(1)])
        let created = try #require(try store.document("c/x")).createTime
        let increment = FieldTransform(try field("n"), .increment(.integer(1)))
        for _ in 0..<3 { _ = try store.commit([.transform(path("c/x"), [increment])], in: demo) }
        let document = try #require(try store.document("c/x"))
        #expect(try document.fields == ["n": .integer(4)])
        #expect(document.createTime == created)
        let message = refusal { _ = try store.commit([.create(path("c/x"), fields: [:])], in: demo) }
        #expect(message?.hasPrefix("ALREADY_EXISTS") == true)
        _ = try store.commit([.delete(path("c/x"))], in: demo)
        _ = try store.commit([.create(path("c/x"), fields: [:])], in: demo)
        #expect(try #require(try store.document("c/x")).createTime > created)
        #expect(try store.paths(Query("c")) == ["c/x"])
    }

    @Test func `a store that was closed has everything in its file`() throws {
        for number in 0..<50 { try store.put("c/\(number)", ["n": .integer(Int64(number))]) }
        let last = try store.commit([.delete(path("c/7"))], in: demo).commitTime
        try store.close()
        let again = try Self.open(.full, directory)
        #expect(try again.count(Query("c"), in: demo).count == 49)
        #expect(try again.get([], in: demo).readTime >= last)
        #expect(refusal { try store.put("c/late", [:]) } != nil)
        #expect(refusal { _ = try store.fields("c/8") } != nil)
    }

    /// The random commits again, in a store that writes each to the file at once.
    @Test(arguments: [61, 62, 63] as [UInt64])
    func `ends up as a store that waits for its file`(seed: UInt64) throws {
        var random = try RandomQueries(seed: seed)
        let other = TemporaryDirectory()
        let waiting = try Self.open(.full, other)
        var times: [Timestamp] = []
        for round in 0..<60 {
            let paths = try (0..<5).map { _ in try random.path() }
            let sets = paths.map { Write.set($0, fields: random.fields()) }
            // Some documents are deleted, some come back within the commit.
            let writes = sets + paths.prefix(3).map { .delete($0) } + sets.prefix(1)
            let query = try random.query()
            times.append(try store.commit(writes, in: demo).commitTime)
            #expect(try waiting.commit(writes, in: demo).commitTime == times.last)
            guard round.isMultiple(of: 10) else { continue }
            let found = try? store.run(query, in: demo).documents
            #expect(found == (try? waiting.run(query, in: demo).documents))
        }
        let everything = Query(source: Query.Source(collectionID: "c", allDescendants: true))
        for time in times {
            let found = try store.run(everything, in: demo, at: time).documents
            #expect(try found == waiting.run(everything, in: demo, at: time).documents)
        }
        try store.expectConsistentEntries()
    }

    @Test func `commits wait for the file when it is far behind`() throws {
        let text = Value.string(String(repeating: "x", count: 100_000))
        let staged = try #require(store.writer.staged)
        for number in 0..<200 {
            try store.put("c/\(number)", ["t": text])
            #expect(staged.byteCount <= 9 << 20)
        }
        #expect(try store.count(Query("c"), in: demo).count == 200)
        #expect(staged.isEmpty)
    }

    @Test func `what cannot be written to the file stays, and is written later`() throws {
        try store.put("c/x", [:])
        #expect(try store.paths(Query("c")) == ["c/x"])
        try store.connections.write { try $0.execute("PRAGMA max_page_count = 1") }
        let text = Value.string(String(repeating: "x", count: 100_000))
        for number in 0..<3 { try store.put("c/\(number)", ["t": text]) }
        #expect(refusal { _ = try store.paths(Query("c")) }?.contains("full") == true)
        #expect(try store.fields("c/2") == ["t": text])
        try store.put("c/3", ["t": text])
        try store.connections.write { try $0.execute("PRAGMA max_page_count = 1000000") }
        #expect(try store.paths(Query("c")) == ["c/0", "c/1", "c/2", "c/3", "c/x"])
    }

    @Test func `threads that write and read see their own commits`() async throws {
        let store = store
        _ = try await Threads.run(count: 6) { thread in
            for round in 0..<200 {
                let name = "c\(thread)/\(round % 20)"
                let fields = ["r": Value.integer(Int64(round))]
                let time = try store.commit([.set(path(name), fields: fields)], in: demo).commitTime
                let read = try store.get([path(name)], in: demo)
                #expect(read.readTime >= time)
                #expect(read.entries == [.found(try #require(try store.document(name)))])
                if round.isMultiple(of: 50) {
                    #expect(try store.count(Query("c\(thread)"), in: demo).count == min(20, round + 1))
                }
                if round.isMultiple(of: 7) {
                    _ = try store.commit([.delete(path(name))], in: demo)
                    #expect(try store.fields(name) == nil)
                    try store.put(name, [:])
                }
            }
        }
        try store.expectConsistentEntries()
    }
}
