// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// Queries that are not read to the end, counts and partitions.
struct StreamingTests {
    private let store: SQLiteDocumentStore
    private let number = FieldPath(validated: ["n"])

    init() throws {
        self.store = try makeStore()
        let writes = try (0..<1_000).map { index in
            let parent = index.isMultiple(of: 10) ? "a/\(index % 70)/g" : "g"
            return Write.set(
                try path("\(parent)/d\(index)"),
                fields: ["n": .integer(Int64(index % 100)), "t": .array([.integer(1), .integer(2)])]
            )
        }
        _ = try store.commit(writes, in: demo)
    }

    @Test func `stops when the body has enough, and tells the time first`() throws {
        var started: Timestamp?
        var count = 0
        let summary = try store.run(
            Query("g"),
            in: demo,
            started: { started = $0 },
            while: { _ in
                #expect(started != nil)
                count += 1
                return count < 3
            }
        )
        #expect(count == 3)
        #expect(summary.returnedCount == 3)
        #expect(summary.indexEntriesRead == 3)
        #expect(summary.readTime == started)
        #expect(summary.documentsRead == 3)
    }

    @Test func `skipping reads no documents where the index tells`() throws {
        var query = Query("g", orderBy: [Query.Ordering(number)], limit: 10)
        query.offset = 500
        let summary = try store.run(query, in: demo).summary
        #expect(summary.skippedCount == 500)
        #expect(summary.documentsRead == 10)
        #expect(summary.indexEntriesRead == 510)
    }

    @Test func `counts from the index alone`() throws {
        func count(_ query: Query, upTo limit: Int? = nil) throws -> (Int, Int) {
            let count = try store.count(query, in: demo, upTo: limit)
            return (count.count, count.indexEntriesRead)
        }
        #expect(try count(Query("g")) == (900, 900))
        #expect(try count(Query("g"), upTo: 100) == (100, 100))
        #expect(try count(Query("g", limit: 50), upTo: 100) == (50, 50))
        #expect(try count(Query("g", where: .field(number, .lessThan, .integer(11)))) == (90, 90))
        var skipping = Query("g", where: .field(number, .equal, .integer(5)))
        skipping.offset = 4
        #expect(try count(skipping) == (6, 10))
        let either = Filter.field(try field("t"), .arrayContainsAny, .array([.integer(1), .integer(2)]))
        #expect(try count(Query("g", where: either)) == (900, 1_800))
        // With a limit, several runs of an index cost what the query does.
        let cost = try store.run(Query("g", where: either, limit: 100), in: demo).indexEntriesRead
        #expect(try count(Query("g", where: either), upTo: 100) == (100, cost))
        let group = Query(source: Query.Source(collectionID: "g", allDescendants: true))
        #expect(try count(group) == (1_000, 1_000))
        #expect(try count(Query("none")) == (0, 0))
    }

    @Test func `explains which index it reads`() throws {
        let filter = Filter.and([
            .field(try field("t"), .arrayContains, .integer(1)), .field(try field("m"), .equal, .integer(1)),
        ])
        let query = Query("g", where: filter, orderBy: [Query.Ordering(number, .descending)])
        let explanation = try store.run(query, in: demo).summary.explanation
        #expect(explanation.indexes.map(\.text) == ["m ASC, t CONTAINS, n DESC, __name__ DESC"])
        #expect(explanation.indexes[0].isOfGroup == false)
        var mixed = Query("g", orderBy: [Query.Ordering(number, .descending), Query.Ordering(.documentID)])
        mixed.source.allDescendants = true
        let group = try store.count(mixed, in: demo).explanation
        #expect(group.indexes.map(\.text) == ["n DESC, __name__ ASC"])
        #expect(group.indexes[0].isOfGroup)
    }

    @Test func `cuts a group into parts of about equal size`() throws {
        let group = Query(source: Query.Source(collectionID: "g", allDescendants: true))
        let all = try store.paths(group)
        func cuts(_ count: Int) throws -> [Int] {
            try store.partition(group, count: count, in: demo).compactMap { all.firstIndex(of: $0.description) }
        }
        #expect(try cuts(1) == [])
        #expect(try cuts(2) == [512])
        #expect(try cuts(4) == [256, 512, 768])
        #expect(try cuts(8) == [128, 256, 384, 512, 640, 768, 896])
        #expect(try cuts(100) == cuts(8))
        let small = Query(source: Query.Source(collectionID: "none", allDescendants: true))
        #expect(try store.partition(small, count: 5, in: demo).isEmpty)
    }
}

extension PlanExplanation.Index {
    fileprivate var text: String {
        fields.map { "\($0.path) \($0.mode.rawValue)" }.joined(separator: ", ")
    }
}
