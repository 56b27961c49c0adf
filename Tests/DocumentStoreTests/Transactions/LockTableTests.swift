// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct LockTableTests {
    private let first = TransactionKey(ordinal: 1)
    private let second = TransactionKey(ordinal: 2)

    private func changed(_ text: String, from before: Int64?, to after: Int64?) throws -> DocumentChange {
        let path = try path(text)
        func document(_ number: Int64) -> Document {
            Document(path: path, fields: ["n": .integer(number)], createTime: noon, updateTime: noon)
        }
        return DocumentChange(path: path, before: before.map(document), after: after.map(document))
    }

    private func table(_ reads: TransactionRead..., limits: TransactionLimits = TransactionLimits()) throws -> LockTable
    {
        var table = LockTable(limits: limits)
        for read in reads {
            table.lock(try ReadLocks(read, in: demo), for: first)
        }
        return table
    }

    @Test(
        "finds the holders of documents",
        arguments: [
            (["c/a"], "c/a", true), (["c/a"], "c/b", false), (["c/a", "c/b"], "c/b", true), ([], "c/a", false),
            (["c/a/d/a"], "c/a", false), (["d/a"], "c/a", false),
        ]
    )
    func documents(locked: [String], changedPath: String, isHeld: Bool) throws {
        let table = try table(.documents(locked.map { try path($0) }))
        #expect(table.holders(of: [try changed(changedPath, from: nil, to: 1)]) == (isHeld ? [first] : []))
        #expect(table.holders(of: [try path(changedPath)]) == (isHeld ? [first] : []))
    }

    @Test(
        "finds the holders of queries",
        arguments: [
            (Query("c"), "c/a", nil, 1, true),
            (Query("c"), "c/a", 1, nil, true),
            (Query("c"), "d/a", nil, 1, false),
            (Query("c"), "c/a/c/b", nil, 1, false),
            (Query("c", limit: 1), "c/z", nil, 1, true),
            (Query(source: Query.Source(collectionID: "c", allDescendants: true)), "d/a/c/b", nil, 1, true),
            (Query(source: Query.Source(collectionID: "c", allDescendants: true)), "d/a", nil, 1, false),
            (Query(source: Query.Source(collectionID: nil, allDescendants: true)), "d/a/e/b", nil, 1, true),
            (Query(source: Query.Source(collectionID: nil)), "d/a", nil, 1, true),
            (Query(source: Query.Source(collectionID: nil)), "d/a/e/b", nil, 1, false),
        ] as [(Query, String, Int64?, Int64?, Bool)]
    )
    func scopes(query: Query, changedPath: String, before: Int64?, after: Int64?, isHeld: Bool) throws {
        let table = try table(.query(query))
        #expect(table.holders(of: [try changed(changedPath, from: before, to: after)]) == (isHeld ? [first] : []))
    }

    @Test(
        "a filtered query is touched by what matches before or after",
        arguments: [
            (nil, 5, true), (5, nil, true), (1, 5, true), (5, 1, true), (5, 6, true), (nil, 1, false), (1, 2, false),
            (1, nil, false),
        ] as [(Int64?, Int64?, Bool)]
    )
    func filters(before: Int64?, after: Int64?, isHeld: Bool) throws {
        let table = try table(.query(Query("c", where: .field(try field("n"), .greaterThan, .integer(3)))))
        #expect(table.holders(of: [try changed("c/a", from: before, to: after)]).isEmpty != isHeld)
    }

    @Test(
        "orders and cursors bound a query",
        arguments: [("n", 3, true), ("n", 2, true), ("n", 1, false), ("m", 3, false)] as [(String, Int64, Bool)]
    )
    func orders(orderPath: String, after: Int64, isHeld: Bool) throws {
        var query = Query("c", orderBy: [Query.Ordering(try field(orderPath))])
        query.startAt = Query.Cursor(values: [.integer(2)], before: true)
        let table = try table(.query(query))
        #expect(table.holders(of: [try changed("c/a", from: nil, to: after)]).isEmpty != isHeld)
    }

    @Test func `a release leaves nothing and others alone`() throws {
        var table = try table(.documents([path("c/a")]), .query(Query("c")))
        table.lock(try ReadLocks(.documents([path("c/a")]), in: demo), for: second)
        table.lock(try ReadLocks(.query(Query("c")), in: demo), for: second)
        table.release(first)
        #expect(table.holders(of: [try changed("c/a", from: nil, to: 1)]) == [second])
        #expect(table.holders == [second])
        table.release(second)
        table.release(second)
        #expect(table.isEmpty)
        #expect(table.holders(of: [try changed("c/a", from: nil, to: 1)]) == [])
    }

    @Test func `too many locks become one on the database`() throws {
        let limits = TransactionLimits(documentLockCountMax: 2, queryLockCountMax: 1)
        let paths = try ["c/a", "c/b", "c/c"].map { try path($0) }
        let few = try table(.documents(Array(paths.prefix(2))), .query(Query("c")), limits: limits)
        #expect(few.holders(of: [try changed("d/a", from: nil, to: 1)]) == [])
        let documents = try table(.documents(paths), .documents([path("c/d")]), limits: limits)
        #expect(documents.holders(of: [try changed("d/a", from: nil, to: 1)]) == [first])
        var queries = try table(.query(Query("c")), .query(Query("e")), limits: limits)
        #expect(queries.holders(of: [try changed("d/a", from: nil, to: 1)]) == [first])
        #expect(queries.holders(of: [DocumentChange]()) == [])
        queries.release(first)
        #expect(queries.isEmpty)
    }
}
