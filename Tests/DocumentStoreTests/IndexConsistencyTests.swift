// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct IndexConsistencyTests {
    @Test(arguments: [21, 22, 23] as [UInt64])
    func `indexes hold exactly the entries of the documents`(seed: UInt64) throws {
        var random = try RandomQueries(seed: seed)
        let store = try makeStore(scanCountMax: -1)
        for _ in 0..<30 {
            let deletions = try (0..<4).map { _ in Write.delete(try random.path()) }
            let sets = try (0..<6).map { _ in Write.set(try random.path(), fields: random.fields()) }
            _ = try store.commit(deletions + sets + deletions.prefix(1) + sets.prefix(1), in: demo)
            _ = try? store.run(random.query(), in: demo)
        }
        #expect(try store.indexes().count > 3)
        try store.expectConsistentEntries()
        #expect(try !store.storedEntries().isEmpty)
    }

    @Test func `an emptied store has no entries`() throws {
        var random = try RandomQueries(seed: 24)
        let store = try makeStore(scanCountMax: -1)
        let documents = try random.documents(count: 50)
        _ = try store.commit(documents.map { .set($0.path, fields: $0.fields) }, in: demo)
        _ = try store.paths(Query("c", orderBy: [Query.Ordering(field("a"))]))
        #expect(try !store.storedEntries().isEmpty)
        _ = try store.commit(documents.map { .delete($0.path) }, in: demo)
        #expect(try store.storedEntries().isEmpty)
    }

    @Test func `clearing a database leaves the others their entries`() throws {
        let store = try makeStore(scanCountMax: -1)
        let other = DatabaseID(project: "demo", database: "other")
        let query = Query("c", orderBy: [Query.Ordering(try field("a"))])
        for database in [demo, other] {
            try store.put("c/x", ["a": .integer(1)], in: database)
            #expect(try store.paths(query, in: database) == ["c/x"])
        }
        try store.deleteAll(in: demo)
        #expect(try store.indexes().count == 1)
        try store.expectConsistentEntries()
        #expect(try store.paths(query, in: demo) == [])
        #expect(try store.paths(query, in: other) == ["c/x"])
        try store.deleteAll(in: other)
        #expect(try store.storedEntries().isEmpty)
    }

    @Test func `too many indexes of a collection drive out the one not used for longest`() throws {
        let store = try makeStore(scanCountMax: -1)
        let fields = try (0..<34).map { try field("f\($0)") }
        try store.put("c/x", Dictionary(uniqueKeysWithValues: fields.map { ($0.description, .integer(1)) }))
        for path in fields.dropLast(2) + [fields[0]] + fields.suffix(2) {
            #expect(try store.paths(Query("c", orderBy: [Query.Ordering(path)])) == ["c/x"])
        }
        let kept = Set(try store.indexes().map { $0.shape.parts[0].path })
        #expect(kept.count == 32)
        #expect(kept.contains(fields[0]) && !kept.contains(fields[1]) && !kept.contains(fields[2]))
        try store.expectConsistentEntries()
    }

    @Test func `indexes outlive the store that built them`() throws {
        let directory = TemporaryDirectory()
        var limits = IndexLimits()
        limits.scanCountMax = -1
        let query = Query("c", where: .field(try field("a"), .equal, .integer(1)))
        for round in 0..<2 {
            let store = try SQLiteDocumentStore(location: directory.file, clock: { noon }, indexLimits: limits)
            try store.put("c/x\(round)", ["a": .integer(1)])
            #expect(try store.paths(query).count == round + 1)
            #expect(try store.indexes().count == 1)
            try store.expectConsistentEntries()
            try store.close()
        }
    }

    @Test func `a snapshot that has to look through many documents asks for an index`() throws {
        let store = try makeStore(scanCountMax: 2)
        for number in 0..<5 {
            try store.put("c/\(number)", ["a": .integer(Int64(number))])
        }
        let query = Query("c", where: .field(try field("a"), .lessThan, .integer(2)))
        let plan = try QueryPlan(query, in: demo)
        let first = try store.read { try $0.run(plan, forEach: { _ in }) }
        store.buildRequestedIndexes()
        let second = try store.read { try $0.run(plan, forEach: { _ in }) }
        #expect(first.documentsRead == 5)
        #expect(second.documentsRead == 2)
        try store.expectConsistentEntries()
    }
}
