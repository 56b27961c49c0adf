// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import TestSupport
import Testing

@Suite struct ListingTests {
    let directory: TemporaryDirectory
    let store: SQLiteObjectStore
    let bucket: BucketName

    init() throws {
        directory = TemporaryDirectory()
        store = try SQLiteObjectStore.make(directory)
        bucket = try #require(BucketName("bkt"))
        for name in Self.names {
            try store.put([], at: .named(name))
        }
        // Neighbours that no listing of the bucket may show.
        try store.put([], at: #require(ObjectPath(bucket: "bka", name: "a")))
        try store.put([], at: #require(ObjectPath(bucket: "bkz", name: "a")))
    }

    static let names = [
        "zz", "dir/2", "dir2/1", "a", "dir/1", "b", "dir//x", "dir/sub/deep", "\u{e9}", "e\u{301}", "\0", "/",
    ]

    static let sortedNames = [
        "\0", "/", "a", "b", "dir//x", "dir/1", "dir/2", "dir/sub/deep", "dir2/1", "e\u{301}", "zz", "\u{e9}",
    ]

    struct Expectation: Sendable {
        var query: ObjectListQuery
        var items: [String]
        var prefixes: [String] = []
    }

    static let table: [Expectation] = [
        Expectation(query: ObjectListQuery(), items: sortedNames),
        Expectation(
            query: ObjectListQuery(delimiter: "/"),
            items: ["\0", "a", "b", "e\u{301}", "zz", "\u{e9}"],
            prefixes: ["/", "dir/", "dir2/"]
        ),
        Expectation(
            query: ObjectListQuery(prefix: "dir/", delimiter: "/"),
            items: ["dir/1", "dir/2"],
            prefixes: ["dir//", "dir/sub/"]
        ),
        Expectation(query: ObjectListQuery(prefix: "dir/"), items: ["dir//x", "dir/1", "dir/2", "dir/sub/deep"]),
        Expectation(query: ObjectListQuery(prefix: "dir", delimiter: "/"), items: [], prefixes: ["dir/", "dir2/"]),
        Expectation(
            query: ObjectListQuery(prefix: "dir/", delimiter: "ub/"),
            items: ["dir//x", "dir/1", "dir/2"],
            prefixes: ["dir/sub/"]
        ),
        Expectation(query: ObjectListQuery(delimiter: ""), items: sortedNames),
        Expectation(query: ObjectListQuery(prefix: "nothing"), items: []),
        Expectation(query: ObjectListQuery(startOffset: "b", endOffset: "dir/2"), items: ["b", "dir//x", "dir/1"]),
        Expectation(query: ObjectListQuery(prefix: "dir/", startOffset: "a", endOffset: "dir/1"), items: ["dir//x"]),
        Expectation(
            query: ObjectListQuery(delimiter: "/", startOffset: "dir/2"),
            items: ["e\u{301}", "zz", "\u{e9}"],
            prefixes: ["dir/", "dir2/"]
        ),
    ]

    @Test("lists by bytes, in one page and in pages of every size", arguments: table)
    func lists(expectation: Expectation) throws {
        let whole = try store.list(bucket, matching: expectation.query)
        #expect(Array(whole.items.map(\.name)) == expectation.items.compactMap { ObjectName($0) })
        #expect(whole.prefixes == expectation.prefixes)
        #expect(whole.nextPageToken == nil)
        for size in 1...4 {
            let pages = try pages(of: expectation.query, size: size)
            #expect(pages.flatMap(\.items) == whole.items)
            #expect(pages.flatMap(\.prefixes) == whole.prefixes)
            #expect(pages.dropLast().allSatisfy { $0.items.count + $0.prefixes.count == size })
        }
    }

    @Test func `merges items and prefixes by name as production does`() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteObjectStore.make(directory)
        for name in ["a", "b", "dir/1", "dir/2", "dir2/1", "zz"] {
            try store.put([], at: .named(name))
        }
        var query = ObjectListQuery(delimiter: "/", maxResults: 2)
        var pages: [[String]] = []
        repeat {
            let page = try store.list(bucket, matching: query)
            pages.append(page.items.map(\.name.description) + page.prefixes)
            query.pageToken = page.nextPageToken
        } while query.pageToken != nil
        #expect(pages == [["a", "b"], ["dir/", "dir2/"], ["zz"]])
    }

    @Test func `makes the page token of the last entry`() throws {
        let query = ObjectListQuery(prefix: "dir/", delimiter: "/", maxResults: 1)
        #expect(try store.list(bucket, matching: query).nextPageToken == "ZGlyLy8=")
    }

    @Test func `goes on after an entry that was deleted`() throws {
        let first = try store.list(bucket, matching: ObjectListQuery(maxResults: 3))
        #expect(try store.delete(at: .named("a")))
        let second = try store.list(bucket, matching: ObjectListQuery(pageToken: first.nextPageToken, maxResults: 1))
        #expect(second.items.map(\.name.description) == ["b"])
    }

    @Test("refuses an unreadable page token", arguments: ["", "a", "%%%%", "ZGly\n"])
    func refuses(token: String) throws {
        let code = try errorCode { _ = try store.list(bucket, matching: ObjectListQuery(pageToken: token)) }
        #expect(code == .invalidPageToken)
    }

    @Test("clamps the size of a page", arguments: [(0, 1), (-5, 1), (7, 7), (100_000, 1_000)])
    func clamps(requested: Int, size: Int) {
        var query = ObjectListQuery(maxResults: requested)
        #expect(query.maxResults == size)
        query.maxResults = requested
        #expect(query.maxResults == size)
    }

    private func pages(of query: ObjectListQuery, size: Int) throws -> [ObjectListing] {
        var query = query
        query.maxResults = size
        var pages: [ObjectListing] = []
        repeat {
            pages.append(try store.list(bucket, matching: query))
            query.pageToken = pages.last?.nextPageToken
        } while query.pageToken != nil
        return pages
    }
}
