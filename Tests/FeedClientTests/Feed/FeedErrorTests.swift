// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeedErrorTests {
    private func failure(_ transport: any HTTPTransport) async -> FeedError? {
        let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: transport)
        return await #expect(throws: FeedError.self) {
            try await repository.page(sort: .popular, number: 0, size: 2)
        }
    }

    @Test(
        arguments: [
            (400, #"{"error":{"code":400,"message":"limit is negative"}}"#, "400 limit is negative"),
            (403, #"[{"error":{"code":403,"message":"\nfalse for 'list' @ L2"}}]"#, "403 false for 'list' @ L2"),
            (404, "Not Found", "404 Not Found"), (503, " ", "503 (no message)"),
            (502, String(repeating: "x", count: 500), "502 " + String(repeating: "x", count: 300)),
        ]
    )
    func `carries the server's message`(status: Int, body: String, expected: String) async {
        let error = await failure(StubTransport(status: status, body))
        #expect(error?.code == .serverRefused)
        #expect(error?.status == status)
        #expect(error?.message == "runQuery on posts: \(expected)")
    }

    @Test func `says that no response came, and why`() async {
        let error = await failure(StubTransport { throw URLError(.cannotConnectToHost) })
        #expect(error?.code == .noResponse)
        #expect((error?.cause as? URLError)?.code == .cannotConnectToHost)
    }

    @Test(arguments: ["", "{}", "[", "<html>"])
    func `says that an answer is no query result`(body: String) async {
        #expect(await failure(StubTransport(body))?.code == .responseUnreadable)
    }

    private static let valid = [
        "userID": #"{"stringValue":"u1"}"#, "feedID": #"{"stringValue":"f1"}"#, "title": #"{"stringValue":"T"}"#,
        "likes": #"{"integerValue":"5"}"#, "createdAt": #"{"timestampValue":"2026-11-21T00:00:00Z"}"#,
        "imageCount": #"{"integerValue":"1"}"#, "images": images(#""width":{"integerValue":8},"#),
    ]

    private static func images(_ width: String) -> String {
        #"{"arrayValue":{"values":[{"mapValue":{"fields":{\#(width)"height":{"integerValue":"9"}}}}]}}"#
    }

    private static func answer(_ fields: [String: String]) -> String {
        let fields = fields.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
        return #"[{"document":{"name":"projects/p/databases/d/documents/posts/p012","fields":{\#(fields)}}}]"#
    }

    @Test(
        arguments: [
            ("likes", #"{"doubleValue":5.0}"#, "likes: expected integerValue"),
            ("likes", #"{"integerValue":"-1"}"#, "likes: expected a number that is not negative"),
            ("likes", nil, "likes: expected integerValue"), ("title", nil, "title: expected stringValue"),
            ("userID", #"{"stringValue":""}"#, "userID: expected text that is not empty and has no slash"),
            ("feedID", #"{"stringValue":"a/b"}"#, "feedID: expected text that is not empty and has no slash"),
            ("createdAt", #"{"stringValue":"2026-11-21T00:00:00Z"}"#, "createdAt: expected timestampValue"),
            ("createdAt", #"{"timestampValue":"now"}"#, "createdAt: expected an RFC 3339 time"),
            ("imageCount", #"{"integerValue":"2"}"#, "imageCount: expected 1, the number of entries in images"),
            ("images", nil, "images: expected arrayValue"),
            ("images", #"{"arrayValue":{"values":[{"nullValue":null}]}}"#, "images[0]: expected mapValue"),
            ("images", images(""), "images[0].width: expected integerValue"),
            (
                "images", images(#""width":{"integerValue":"8"},"token":{"integerValue":"1"},"#),
                "images[0].token: expected stringValue"
            ),
        ]
    )
    func `skips a document and names its field`(field: String, value: String?, expected: String) async throws {
        var fields = Self.valid
        fields[field] = value
        let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: StubTransport(Self.answer(fields)))
        let page = try await repository.page(sort: .popular, number: 0, size: 2)
        #expect(page.posts.isEmpty)
        #expect(page.skipped == [SkippedDocument(path: "posts/p012", problem: expected)])
    }

    @Test func `takes a document without what is optional`() async throws {
        let repository = FeedRepository(endpoint: FakeFeed.endpoint, transport: StubTransport(Self.answer(Self.valid)))
        let post = try #require(try await repository.page(sort: .latest, number: 0, size: 2).posts.first)
        #expect(post.images == [FeedImage(index: 0, pixelWidth: 8, pixelHeight: 9)])
    }
}
