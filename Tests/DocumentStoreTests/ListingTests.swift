// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct ListingTests {
    private let store: SQLiteDocumentStore
    private let collection: CollectionPath

    init() throws {
        self.store = try makeStore()
        self.collection = try CollectionPath(parsing: "l")
        for index in 0..<5 {
            try store.put("l/d\(index)", ["n": .integer(Int64(5 - index)), "m": .null])
        }
        try store.put("l/d1x/sub/a", [:])
        try store.put("l/d2/sub/a", [:])
    }

    /// All pages, each as the ids on it; missing documents in parentheses.
    private func pages(_ request: ListRequest) throws -> [[String]] {
        var request = request
        var pages: [[String]] = []
        repeat {
            let page = try store.list(request, in: demo)
            pages.append(
                page.entries.map { entry in
                    switch entry {
                    case .found(let document): document.path.id
                    case .missing(let path): "(\(path.id))"
                    }
                }
            )
            request.pageToken = page.nextPageToken
        } while request.pageToken != nil
        return pages
    }

    @Test func `pages through a collection`() throws {
        #expect(try pages(ListRequest(collection: collection, pageSize: 2)) == [["d0", "d1"], ["d2", "d3"], ["d4"]])
        #expect(try pages(ListRequest(collection: collection, pageSize: 5)).count == 1)
        #expect(try store.list(ListRequest(collection: collection, pageSize: 2), in: demo).billedReads == 2)
    }

    @Test func `pages in an order`() throws {
        let request = ListRequest(
            collection: collection,
            pageSize: 2,
            orderBy: [Query.Ordering(try field("m")), Query.Ordering(try field("n"))],
            mask: DocumentMask([])
        )
        #expect(try pages(request) == [["d4", "d3"], ["d2", "d1"], ["d0"]])
    }

    @Test func `lists missing documents that have others below them`() throws {
        let request = ListRequest(collection: collection, pageSize: 2, showsMissing: true)
        #expect(try pages(request) == [["d0", "d1"], ["(d1x)", "d2"], ["d3", "d4"]])
    }

    @Test func `selects fields`() throws {
        let request = ListRequest(collection: collection, pageSize: 1, mask: try DocumentMask(parsing: ["n"]))
        guard case .found(let document)? = try store.list(request, in: demo).entries.first else {
            Issue.record("nothing found")
            return
        }
        #expect(try document.fields == ["n": .integer(5)])
    }

    @Test func `refuses in the official emulator's words`() throws {
        let request = ListRequest(collection: collection)
        var negative = request
        negative.pageSize = -1
        var token = request
        token.pageToken = "abc"
        var ordered = request
        ordered.showsMissing = true
        ordered.orderBy = [Query.Ordering(try field("n"))]
        for (request, message) in [
            (negative, "Page size must be nonnegative."), (token, "invalid page token"),
            (ordered, "cannot specify an order when show_missing is true"),
        ] {
            #expect(refusal { _ = try store.list(request, in: demo) } == "INVALID_ARGUMENT: \(message)")
        }
    }

    @Test func `has a default and a largest page size`() throws {
        let writes = try (0..<200).map { Write.set(try path("big/\($0)"), fields: [:]) }
        _ = try store.commit(writes, in: demo)
        let big = try CollectionPath(parsing: "big")
        #expect(try store.list(ListRequest(collection: big), in: demo).entries.count == 30)
        #expect(try store.list(ListRequest(collection: big, pageSize: 5_000), in: demo).entries.count == 150)
    }

    @Test func `finds collection ids, also those of missing documents`() throws {
        try store.put("a/1", [:])
        try store.put("z/1/y/2/x/3", [:])
        #expect(try store.collectionIDs(under: nil, in: demo) == ["a", "l", "z"])
        #expect(try store.collectionIDs(under: path("l/d1x"), in: demo) == ["sub"])
        #expect(try store.collectionIDs(under: path("z/1/y/2"), in: demo) == ["x"])
        #expect(try store.collectionIDs(under: nil, in: demo, after: "a", limit: 1) == ["l"])
        #expect(try store.collectionIDs(under: nil, in: DatabaseID(project: "none")) == [])
    }

    @Test func `looks up documents in order, each once, and bills every reference`() throws {
        let paths = try ["l/d1", "l/no", "l/d0", "l/d1"].map { try path($0) }
        let result = try store.get(paths, in: demo, mask: DocumentMask([.documentID]))
        let found = try result.entries.map { entry in
            switch entry {
            case .found(let document): "\(document.path) \(try document.fields.count)"
            case .missing(let path): "no \(path)"
            }
        }
        #expect(found == ["l/d1 0", "no l/no", "l/d0 0"])
        #expect(result.billedReads == 4)
    }
}
