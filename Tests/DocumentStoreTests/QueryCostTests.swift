// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

/// The documents that queries read, and the bill.
struct QueryCostTests {
    private let store: SQLiteDocumentStore
    private let likes = FieldPath(validated: ["likes"])

    init() throws {
        self.store = try makeStore()
        let writes = try (0..<400).map { index in
            let fields: [String: Value] = [
                "likes": .integer(Int64(index * 37 % 400)), "even": .boolean(index.isMultiple(of: 2)),
                "tags": .array([.integer(Int64(index % 10)), .integer(100)]),
            ]
            return Write.set(try path("posts/p\(index)"), fields: fields)
        }
        _ = try store.commit(writes, in: demo)
    }

    @Test func `a limit reads little more than it returns`() throws {
        var query = Query("posts", orderBy: [Query.Ordering(likes, .descending)], limit: 20)
        let first = try store.run(query, in: demo)
        #expect(first.documents.count == 20)
        #expect(first.indexEntriesRead == 20)
        #expect(first.billedReads == 20)
        let last = try #require(first.documents.last)
        query.orderBy.append(Query.Ordering(.documentID, .descending))
        query.startAt = Query.Cursor(
            values: [try #require(try last.fields["likes"]), try reference(last.path.description)],
            before: false
        )
        let second = try store.run(query, in: demo)
        #expect(second.indexEntriesRead == 20)
        #expect(try second.documents.first?.fields["likes"] == .integer(379))
    }

    @Test func `filters read their part of an index only`() throws {
        let tags = try field("tags")
        func entriesRead(_ filter: Filter?, _ orderBy: [Query.Ordering] = [], limit: Int? = nil) throws -> Int {
            try store.run(Query("posts", where: filter, orderBy: orderBy, limit: limit), in: demo).indexEntriesRead
        }
        #expect(try entriesRead(.field(likes, .equal, .integer(7))) == 1)
        #expect(try entriesRead(.field(likes, .in, .array([.integer(7), .integer(8)]))) == 2)
        #expect(try entriesRead(.field(likes, .lessThan, .integer(30))) == 30)
        #expect(try entriesRead(.field(likes, .greaterThanOrEqual, .integer(0)), limit: 5) == 5)
        #expect(try entriesRead(.field(tags, .arrayContains, .integer(3))) == 40)
        #expect(try entriesRead(.field(tags, .arrayContains, .integer(100)), limit: 5) == 5)
        #expect(try entriesRead(.field(FieldPath.documentID, .equal, reference("posts/p7"))) == 1)
        #expect(try entriesRead(nil, limit: 3) == 3)
        let either = Filter.or([.field(likes, .equal, .integer(7)), .field(likes, .equal, .integer(8))])
        #expect(try entriesRead(either) == 2)
        let both = Filter.and([.field(try field("even"), .equal, .boolean(true)), .field(likes, .equal, .integer(8))])
        #expect(try entriesRead(both) <= 200)
    }

    @Test func `bills documents returned and skipped, and at least one read`() throws {
        var query = Query("posts", limit: 10)
        query.offset = 25
        let skipping = try store.run(query, in: demo)
        #expect(skipping.skippedCount == 25)
        #expect(skipping.billedReads == 35)
        query.offset = 395
        #expect(try store.run(query, in: demo).billedReads == 400)
        query.offset = 1_000
        #expect(try store.run(query, in: demo).skippedCount == 400)
        #expect(try store.run(Query("none"), in: demo).billedReads == 1)
        #expect(try store.run(Query("posts", limit: 0), in: demo).billedReads == 1)
    }

    @Test func `an order by two fields still stops at the limit`() throws {
        let query = Query("posts", orderBy: [Query.Ordering(likes), Query.Ordering(try field("even"))], limit: 20)
        let result = try store.run(query, in: demo)
        #expect(result.documents.count == 20)
        #expect(result.indexEntriesRead <= 21)
    }
}
