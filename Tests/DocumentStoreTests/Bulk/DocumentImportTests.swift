// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import FirestoreSamples
import Foundation
import TestSupport
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Imports: all or nothing, with everything right afterwards that commits keep right.
@Suite(.timeLimit(.minutes(5))) struct DocumentImportTests {
    private let other = DatabaseID(project: "demo", database: "other")

    private func put(
        _ fields: [String: [String: Value]],
        in database: DatabaseID = demo,
        _ target: DocumentImport
    ) throws {
        for (text, fields) in fields.sorted(by: { $0.key < $1.key }) {
            try target.put(path(text), fields: EncodedFields(fields), in: database)
        }
    }

    private func contents(of store: SQLiteDocumentStore) throws -> [DatabaseID: [String: [String: Value]]] {
        try store.scanning { scan in
            var contents: [DatabaseID: [String: [String: Value]]] = [:]
            for database in try scan.databases() {
                try scan.visitDocuments(of: database) { path, fields in
                    contents[database, default: [:]][path.description] = try FieldsDecoder.decode(Array(fields))
                }
            }
            return contents
        }
    }

    @Test func `documents are replaced, kept and added`() throws {
        let store = try makeStore()
        try store.put("c/a", ["n": .integer(1)])
        try store.put("c/b", ["n": .integer(2)])
        try store.put("c/c", ["n": .integer(3)])
        let before = try ["c/a", "c/b", "c/c"].map { try store.document($0) }
        let written: [Bool] = try store.importing { target in
            try [("c/a", 1), ("c/b", 20), ("c/d/e/f", 4)].map { text, number in
                try target.put(path(text), fields: EncodedFields(["n": .integer(number)]), in: demo)
            }
        }
        #expect(written == [false, true, true])
        #expect(try store.document("c/a") == before[0])
        #expect(try store.document("c/c") == before[2])
        let replaced = try #require(try store.document("c/b"))
        #expect(replaced.createTime == before[1]?.createTime)
        #expect(try replaced.updateTime > #require(before[1]?.updateTime))
        let added = try #require(try store.document("c/d/e/f"))
        #expect(added.createTime == added.updateTime)
        #expect(added.updateTime == replaced.updateTime)
        #expect(try contents(of: store)[demo]?.count == 4)
    }

    @Test func `the last of two documents of one name counts`() throws {
        let store = try makeStore()
        try store.importing { target in
            try put(["c/a": ["n": .integer(1)]], target)
            try put(["c/a": ["n": .integer(2)]], target)
        }
        #expect(try store.fields("c/a") == ["n": .integer(2)])
    }

    @Test(arguments: [StoreDurability.full, .deferred])
    func `a failing import leaves the store as it was`(durability: StoreDurability) throws {
        let directory = TemporaryDirectory()
        let file = StoreLocation.file(directory.url.appending(path: "documents.sqlite"))
        let store = try SQLiteDocumentStore(location: file, clock: { noon }, durability: durability)
        try store.put("c/a", ["n": .integer(1)])
        let before = try contents(of: store)
        #expect(throws: CancellationError.self) {
            try store.importing { target in
                for number in 0..<5_000 {
                    try put(["c/a": ["n": .integer(Int64(number))], "new\(number)/x": [:]], target)
                }
                throw CancellationError()
            }
        }
        #expect(try contents(of: store) == before)
        #expect(try store.document("new1/x") == nil)
        try store.put("c/b", ["n": .integer(2)])
        try store.close()
        let opened = try SQLiteDocumentStore(location: file, clock: { noon }, durability: durability)
        #expect(try contents(of: opened)[demo]?.keys.sorted() == ["c/a", "c/b"])
    }

    @Test(arguments: [31, 32] as [UInt64])
    func `indexes hold exactly the entries of the documents`(seed: UInt64) throws {
        var random = try RandomQueries(seed: seed)
        let store = try makeStore(scanCountMax: -1)
        for round in 0..<12 {
            let sets = try (0..<6).map { _ in Write.set(try random.path(), fields: random.fields()) }
            _ = try store.commit(sets, in: demo)
            _ = try? store.run(random.query(), in: demo)
            let imported = try (0..<8).map { _ in (try random.path(), EncodedFields(random.fields())) }
            try? store.importing { target in
                for (path, fields) in imported { try target.put(path, fields: fields, in: demo) }
                if round.isMultiple(of: 3) { throw CancellationError() }
            }
            try store.expectConsistentEntries()
        }
        #expect(try store.indexes().count > 3)
        #expect(try !store.storedEntries().isEmpty)
    }

    @Test func `queries find what was imported, by rows and by the filter of names`() throws {
        let store = try makeStore(scanCountMax: 0)
        let query = Query("c", orderBy: [Query.Ordering(try field("n"))])
        try store.put("c/x", ["n": .integer(5)])
        #expect(try store.paths(query) == ["c/x"])
        try store.importing { try put(["c/y": ["n": .integer(3)], "c/x": ["n": .integer(1)]], $0) }
        #expect(try store.paths(query) == ["c/x", "c/y"])
        let refused = refusal {
            _ = try store.commit([.set(path("c/y"), fields: [:], precondition: .exists(false))], in: demo)
        }
        #expect(refused?.hasPrefix("ALREADY_EXISTS") == true)
    }

    @Test func `reads as of earlier times fail where documents changed, and nowhere else`() throws {
        let store = try makeStore()
        try store.put("c/a", ["n": .integer(1)])
        try store.put("c/a", ["n": .integer(1)], in: other)
        let time = try #require(try store.document("c/a", in: other)?.updateTime)
        try store.importing { try put(["c/a": ["n": .integer(2)]], $0) }
        #expect(refusal { _ = try store.get([path("c/a")], in: demo, at: time) } != nil)
        #expect(refusal { _ = try store.get([path("c/a")], in: other, at: time) } == nil)
        try store.importing { try put(["c/a": ["n": .integer(1)]], in: other, $0) }
        #expect(refusal { _ = try store.get([path("c/a")], in: other, at: time) } == nil)
    }

    @Test func `an import of several databases is one commit`() throws {
        let store = try makeStore()
        try store.importing { target in
            try put(["c/a": [:]], target)
            try put(["c/b": [:]], in: other, target)
        }
        #expect(try store.document("c/a")?.updateTime == store.document("c/b", in: other)?.updateTime)
        #expect(try contents(of: store) == [demo: ["c/a": [:]], other: ["c/b": [:]]])
    }

    @Test(arguments: [StoreDurability.full, .deferred])
    func `commits and reads at the same time see all of an import or nothing`(durability: StoreDurability) async throws
    {
        let directory = TemporaryDirectory()
        let store = try SQLiteDocumentStore(
            location: .file(directory.url.appending(path: "documents.sqlite")),
            clock: { noon },
            durability: durability
        )
        let counts = try await Threads.run(count: 3) { thread in
            var counts: Set<Int> = []
            for round in 0..<20 {
                switch thread {
                case 0:
                    try store.importing { target in
                        for number in 0..<300 { try put(["new\(round)/\(number)": [:]], target) }
                    }
                case 1: try store.put("c/\(round)", ["n": .integer(Int64(round))])
                default:
                    let found = try contents(of: store)[demo] ?? [:]
                    counts.insert(found.keys.count { $0.hasPrefix("new") } % 300)
                }
            }
            return counts
        }
        #expect(counts.reduce(Set()) { $0.union($1) } == [0])
        #expect(try contents(of: store)[demo]?.count == 20 * 301)
        try store.expectConsistentEntries()
    }

    @Test func `a scan has one moment and the order of names`() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteDocumentStore(
            location: .file(directory.url.appending(path: "documents.sqlite")),
            clock: { noon },
            durability: .deferred
        )
        for text in ["d/1", "c/b", "c/a/e/1", "c/__id7__", "c/a"] { try store.put(text, [:]) }
        var paths: [String] = []
        try store.scanning { scan in
            try store.put("c/late", [:])
            try scan.visitDocuments(of: demo) { path, _ in paths.append(path.description) }
        }
        #expect(paths == ["c/__id7__", "c/a", "c/b", "c/a/e/1", "d/1"])
        try store.scanning { try $0.visitDocuments(of: other) { _, _ in paths = [] } }
        #expect(!paths.isEmpty)
    }
}
