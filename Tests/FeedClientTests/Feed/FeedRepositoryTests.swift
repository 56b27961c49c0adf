// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeedRepositoryTests {
    private static let query = #"{"structuredQuery":{"from":[{"collectionId":"posts"}],"limit":2,"#
    private static let popular =
        #""orderBy":[{"direction":"DESCENDING","field":{"fieldPath":"likes"}},"#
        + #"{"direction":"DESCENDING","field":{"fieldPath":"__name__"}}]"#
    private static let latest =
        #""orderBy":[{"direction":"DESCENDING","field":{"fieldPath":"createdAt"}},"#
        + #"{"direction":"DESCENDING","field":{"fieldPath":"__name__"}}]"#

    private func sentBodies(
        sort: FeedSort,
        _ fetch: (FeedRepository) async throws -> Void
    ) async throws -> [String] {
        let feed = FakeFeed()
        let recorder = RecordingTransport(feed)
        try await fetch(FeedRepository(endpoint: FakeFeed.endpoint, transport: recorder))
        return recorder.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
    }

    @Test(
        arguments: [
            (FeedSort.popular, 0, query + popular + "}}"), (.latest, 0, query + latest + "}}"),
            (.popular, 3, query + #""offset":6,"# + popular + "}}"),
            (.latest, 1, query + #""offset":2,"# + latest + "}}"),
        ]
    )
    func `asks for a page by offset`(sort: FeedSort, number: Int, expected: String) async throws {
        let bodies = try await sentBodies(sort: sort) { repository in
            _ = try await repository.page(sort: sort, number: number, size: 2)
        }
        #expect(bodies == [expected])
    }

    @Test(
        arguments: [
            (FeedSort.popular, #"{"integerValue":"90"}"#, "p1", popular),
            (.latest, #"{"timestampValue":"2026-11-05T00:00:00.5Z"}"#, "p4", latest),
        ]
    )
    func `asks for a page after the last post of the page before`(
        sort: FeedSort,
        value: String,
        lastID: String,
        order: String
    ) async throws {
        let bodies = try await sentBodies(sort: sort) { repository in
            let first = try await repository.page(sort: sort, number: 0, size: 2)
            #expect(first.posts.last?.id == lastID)
            _ = try await repository.page(sort: sort, number: 1, size: 2, after: first.cursor)
        }
        let name = #"{"referenceValue":"projects/demo/databases/(default)/documents/posts/\#(lastID)"}"#
        let start = #","startAt":{"before":false,"values":[\#(value),\#(name)]}}}"#
        #expect(bodies.last == Self.query + order + start)
    }

    @Test func `reads posts whole`() async throws {
        let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: FakeFeed(imageCount: 2))
        let page = try await repository.page(sort: .popular, number: 1, size: 4)
        #expect(page.posts.map(\.id) == ["p4", "p5"])
        #expect(
            page.posts.first
                == FeedPost(
                    id: "p4",
                    ownerID: "u4",
                    feedID: "p4",
                    title: "Post 4",
                    likes: 60,
                    createdAt: Date(timeIntervalSince1970: 1_793_836_800.5),
                    images: (0..<2).map { index in
                        FeedImage(
                            index: index,
                            pixelWidth: 1_080,
                            pixelHeight: 1_350,
                            byteCount: index == 0 ? 10 : 100,
                            generation: 1_795_222_306_653_000,
                            token: "t\(index)"
                        )
                    }
                )
        )
    }

    @Test func `has no cursor beyond the last post`() async throws {
        let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: FakeFeed())
        let page = try await repository.page(sort: .popular, number: 9, size: 2)
        #expect(page.posts.isEmpty)
        #expect(page.cursor == nil)
    }

    @Test func `sends what the services expect`() async throws {
        let transport = StubTransport("[]")
        var endpoint = FakeFeed.endpoint
        endpoint.firestore = fakeURL("http://firestore.test/")
        endpoint.project = "my project"
        let repository = FeedRepository(endpoint: endpoint, transport: transport)
        _ = try await repository.page(sort: .popular, number: 0, size: 2)
        let request = try #require(transport.requests.first)
        #expect(request.method == "POST")
        let path = "/v1/projects/my%20project/databases/(default)/documents:runQuery"
        #expect(request.url.absoluteString == "http://firestore.test" + path)
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["Authorization"] == nil)
    }
}
