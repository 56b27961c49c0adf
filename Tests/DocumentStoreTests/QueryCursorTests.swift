// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Results that are read in parts, compared with those that are read at once.
struct QueryCursorTests {
    /// Without any index, with one for every query, and with what there is by default.
    private static let scanCounts: [Int?] = [1_000_000, -1, nil]

    @Test(arguments: scanCounts, [1, 2, 3] as [UInt64])
    func `parts together are the whole, and cost the same`(scanCountMax: Int?, seed: UInt64) throws {
        let store = try makeStore(scanCountMax: scanCountMax)
        var random = try RandomQueries(seed: seed)
        try store.change(with: &random, count: 60)
        for query in try random.validQueries(count: 60) {
            let whole = try store.run(query, in: demo)
            let cursor = try QueryCursor(query, of: store, in: demo, partByteCountMax: 700)
            let documents = try cursor.rest()
            #expect(documents == whole.documents, "\(query)")
            var cost = cursor.summary
            // An index that is built in between takes the time of a commit.
            cost.readTime = whole.readTime
            #expect(cost == whole.summary, "\(query)")
        }
    }

    @Test(arguments: scanCounts, [4, 5, 6] as [UInt64])
    func `all parts are as of the first, whatever is written between them`(scanCountMax: Int?, seed: UInt64) throws {
        let store = try makeStore(scanCountMax: scanCountMax)
        var random = try RandomQueries(seed: seed)
        try store.change(with: &random, count: 60)
        var partCount = 0
        for query in try random.validQueries(count: 30) {
            let whole = try store.run(query, in: demo)
            let cursor = try QueryCursor(query, of: store, in: demo, partByteCountMax: 700)
            let documents = try cursor.rest {
                partCount += 1
                try store.change(with: &random, count: 5)
            }
            #expect(documents == whole.documents, "\(query)")
            #expect(cursor.summary.billedReads == whole.billedReads, "\(query)")
        }
        #expect(partCount > 50)
    }

    @Test(arguments: scanCounts)
    func `parts of a former state are that state`(scanCountMax: Int?) throws {
        let store = try makeStore(scanCountMax: scanCountMax)
        var random = try RandomQueries(seed: 7)
        try store.change(with: &random, count: 60)
        let time = try store.get([], in: demo).readTime
        try store.change(with: &random, count: 40)
        for query in try random.validQueries(count: 30) {
            let whole = try store.run(query, in: demo, at: time)
            let cursor = try QueryCursor(query, of: store, in: demo, at: time, partByteCountMax: 700)
            let documents = try cursor.rest { try store.change(with: &random, count: 5) }
            #expect(documents == whole.documents, "\(query)")
            #expect(cursor.readTime == time)
        }
    }

    @Test func `reads no further than is taken`() throws {
        let store = try makeStore()
        let filler = String(repeating: "x", count: 10_000)
        let writes = try (0..<500).map { index in
            Write.set(try path("c/d\(1_000 + index)"), fields: ["n": .integer(Int64(index)), "x": .string(filler)])
        }
        _ = try store.commit(writes, in: demo)
        for orderBy in [[], [Query.Ordering(try field("n"), .descending)]] {
            let cursor = try QueryCursor(Query("c", orderBy: orderBy), of: store, in: demo, partByteCountMax: 100_000)
            for partCount in 1...3 {
                #expect(try cursor.nextPart().count == 10)
                #expect(cursor.summary.documentsRead == 10 * partCount)
                #expect(cursor.summary.billedReads == 10 * partCount)
            }
            #expect(!cursor.isFinished)
        }
    }

    @Test func `continues where an index was that has been dropped`() throws {
        var limits = IndexLimits()
        limits.scanCountMax = 10
        limits.indexCountMaxPerScope = 1
        let store = try SQLiteDocumentStore(location: .memory, clock: { noon }, indexLimits: limits)
        for index in 0..<20 {
            try store.put("c/d\(index)", ["a": .integer(Int64(index * 7 % 20)), "b": .integer(1)])
        }
        let query = Query("c", orderBy: [Query.Ordering(try field("a"))], limit: 18)
        let whole = try store.run(query, in: demo).documents
        let cursor = try QueryCursor(query, of: store, in: demo, partByteCountMax: 1)
        var documents = try cursor.nextPart()
        // So few are left that the index is not built again when another one has taken its place.
        _ = try store.commit((0..<15).map { .delete(try path("c/d\($0)")) }, in: demo)
        let other = IndexShape.Part(path: try field("b"), mode: .ascending)
        try store.build([IndexShape(scope: .collection(CollectionPath(["c"])), parts: [other])], in: demo)
        documents += try cursor.rest()
        #expect(documents == whole)
    }

    @Test func `several runs of an index are read side by side`() throws {
        let store = try makeStore(scanCountMax: 0)
        let filler = String(repeating: "x", count: 10_000)
        for index in 0..<200 {
            try store.put("c/d\(index)", ["n": .integer(Int64(index * 7 % 4)), "x": .string(filler)])
        }
        let query = Query("c", where: .field(try field("n"), .in, .array([.integer(1), .integer(2), .integer(3)])))
        let cursor = try QueryCursor(query, of: store, in: demo, partByteCountMax: 100_000)
        #expect(try cursor.nextPart().count == 10)
        #expect(cursor.summary.documentsRead < 25)
        #expect(try cursor.rest().count == 140)
        #expect(cursor.summary.returnedCount == 150)
    }

    @Test(arguments: [nil, 30])
    func `a large result that has to be sorted is held as keys`(limit: Int?) throws {
        let store = try makeStore()
        let filler = String(repeating: "x", count: 100_000)
        for index in 0..<30 {
            try store.put("c/d\(index)", ["n": .integer(Int64(index * 7 % 30 / 2)), "x": .string(filler)])
        }
        let numbers = Value.array((0..<15).map { .integer($0) })
        let query = Query(
            "c",
            where: .field(try field("n"), .in, numbers),
            orderBy: [Query.Ordering(try field("n"), .descending)],
            limit: limit
        )
        let whole = try store.run(query, in: demo).documents
        #expect(whole.count == 30)
        let cursor = try QueryCursor(query, of: store, in: demo)
        let first = try cursor.nextPart()
        #expect(first.count == 3)
        // Rows are used again for other documents.
        for index in 20..<30 { _ = try store.commit([.delete(path("c/d\(index)"))], in: demo) }
        for index in 0..<10 { try store.put("e/d\(index)", [:]) }
        for index in 0..<10 { try store.put("c/d\(index)", [:]) }
        #expect(try first + cursor.rest() == whole)
    }

    @Test(arguments: [1, 300_000])
    func `names are looked up in parts as of the first`(partByteCountMax: Int) throws {
        let store = try makeStore()
        for index in 0..<10 { try store.put("c/d\(index)", ["n": .integer(Int64(index))]) }
        let paths = try (0..<12).map { try path("c/d\($0 % 11)") }
        let whole = try store.get(paths, in: demo)
        let cursor = LookupCursor(paths, of: store, in: demo, partByteCountMax: partByteCountMax)
        var entries: [LookupResult.Entry] = []
        var billedReads = 0
        while !cursor.isFinished {
            let part = try cursor.nextPart()
            entries += part.entries
            billedReads += part.billedReads
            _ = try store.commit([.delete(path("c/d3")), .set(path("c/d5"), fields: [:])], in: demo)
            try store.put("c/d10", [:])
        }
        #expect(entries == whole.entries)
        #expect(billedReads == 12)
    }

    @Test(arguments: [10, 100_000])
    func `the nearest documents are given out in parts, large ones too`(fillerByteCount: Int) throws {
        let store = try makeStore()
        let filler = String(repeating: "x", count: fillerByteCount)
        for index in 0..<30 {
            try store.put("c/d\(index)", ["v": .vector([Double(index * 7 % 30)]), "x": .string(filler)])
        }
        let search = try NearestSearch(
            field: field("v"),
            vector: [0],
            measure: .euclidean,
            limit: 20,
            resultField: "distance"
        )
        let cursor = NearestCursor(search, among: Query("c"), of: store, in: demo)
        var documents = try cursor.nextPart()
        try store.put("c/d0", [:])
        while !cursor.isFinished { documents += try cursor.nextPart() }
        #expect(try documents.map { try $0.fields["distance"] } == (0..<20).map { .double(Double($0)) })
        #expect(try documents.allSatisfy { try $0.fields["x"] == .string(filler) })
        #expect(cursor.returnedCount == 20)
    }

    @Test func `refuses the rest when the former versions that it needs are gone`() throws {
        let store = try makeStore()
        for index in 0..<10 { try store.put("c/d\(index)", ["n": .integer(Int64(index))]) }
        let cursor = try QueryCursor(Query("c"), of: store, in: demo, partByteCountMax: 1)
        #expect(try cursor.nextPart().count == 1)
        try store.deleteAll(in: demo)
        let message = try #require(refusal { _ = try cursor.nextPart() })
        #expect(message.hasPrefix("FAILED_PRECONDITION"))
    }
}

extension QueryCursor {
    /// All documents that are left; `pause` is called between parts.
    fileprivate func rest(pause: () throws -> Void = {}) throws -> [Document] {
        var documents: [Document] = []
        while !isFinished {
            documents += try nextPart()
            try pause()
        }
        return documents
    }
}

extension SQLiteDocumentStore {
    /// Writes random documents, and deletes some.
    fileprivate func change(with random: inout RandomQueries, count: Int) throws {
        let written = try random.documents(count: count)
        let names = Set(written.map(\.path))
        let deleted = try (0..<count / 4).map { _ in try random.path() }.filter { !names.contains($0) }
        _ = try commit(
            written.map { Write.set($0.path, fields: $0.fields) } + Set(deleted).map { Write.delete($0) },
            in: demo
        )
    }
}

extension RandomQueries {
    fileprivate mutating func validQueries(count: Int) throws -> [Query] {
        var queries: [Query] = []
        while queries.count < count {
            let query = try query()
            if (try? query.validate(in: demo)) != nil { queries.append(query) }
        }
        return queries
    }
}
