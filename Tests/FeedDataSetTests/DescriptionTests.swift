// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import TestSupport
import Testing

struct DescriptionTests {
    private static func load(_ json: String) throws -> FeedDataSet {
        let folder = TemporaryDirectory()
        try folder.write(Array(json.utf8), to: "feed.json")
        return try FeedDataSet.load(folder.path)
    }

    @Test func `loads what is written and ignores further keys`() throws {
        let feed = try Self.load(DescriptionFile().json)
        #expect(feed.project == "demo-feed")
        #expect(feed.database == "(default)")
        #expect(feed.collection == "posts")
        #expect(feed.users.map(\.name) == ["Ada", "Ben"])
        let post = try #require(feed.posts.first)
        #expect([post.id, post.documentID, post.owner, post.title] == ["p1", "p1", "u1", "A post"])
        #expect(post.likes == 7)
        #expect(post.imageCount == 2)
        #expect(post.createdAt.secondsSinceEpoch == 1_795_163_400)
    }

    private typealias Post = DescriptionFile

    @Test(arguments: [
        (Post.post(likes: "true"), "posts[0].likes: expected an integer"),
        (Post.post(likes: "1.5"), "posts[0].likes: expected an integer"),
        (Post.post(likes: "null"), "posts[0].likes: expected an integer"),
        (Post.post(likes: "-1"), "posts[0].likes: expected an integer from 0 to 1000000000"),
        (Post.post(images: "0"), "posts[0].images: expected an integer from 1 to 50"),
        (Post.post(images: "51"), "posts[0].images: expected an integer from 1 to 50"),
        (Post.post(images: #""2""#), "posts[0].images: expected an integer"),
        (Post.post(owner: #""u9""#), #"posts[0].owner: no user has the id "u9"; add it to users"#),
        (Post.post(createdAt: "0"), "posts[0].createdAt: expected a string"),
        (
            Post.post(createdAt: #""yesterday""#),
            "posts[0].createdAt: expected an RFC 3339 time such as 2026-11-20T08:30:00Z"
        ),
        (#"{"id": "p1"}"#, "posts[0].owner: missing; expected a string"),
        ("3", "posts[0]: expected an object"),
        (
            "\(Post.post(id: #""p7""#)), \(Post.post(id: #""p7""#))",
            #"posts[1].id: "p7" is also the id of posts[0]; ids must be unique"#
        ),
    ])
    func `refuses a post`(_ post: String, _ message: String) throws {
        let file = DescriptionFile("posts", "[\(post)]")
        let error = try #require(throws: FeedDataSetError.self) { try Self.load(file.json) }
        #expect(error.message == message)
    }

    @Test(arguments: [#""""#, #""a/b""#, #"".""#, #""..""#, #""__x__""#, #""a\nb""#])
    func `refuses an id that is no path segment`(_ id: String) throws {
        let file = DescriptionFile("posts", "[\(Post.post()), \(Post.post(id: id))]")
        let error = try #require(throws: FeedDataSetError.self) { try Self.load(file.json) }
        #expect(error.message.hasPrefix("posts[1].id: expected an id of 1 to 256 bytes"))
    }

    @Test(
        arguments: [
            ("schema", #""firemeter.feed/2""#, #"schema: expected "firemeter.feed/1""#),
            ("bucket", "[]", "bucket: expected a string"),
            ("bucket", #""""#, "bucket: expected an id of"),
            ("users", "{}", "users: expected an array"),
            ("users", "[]", "users: expected at least one entry"),
            ("users", #"[{"id": "u1", "name": 3}]"#, "users[0].name: expected a string"),
            (
                "users", #"[{"id": "u1", "name": ""}, {"id": "u1", "name": ""}]"#,
                #"users[1].id: "u1" is also the id of users[0]"#
            ),
            ("posts", "[]", "posts: expected at least one entry"),
            ("images", "7", "images: expected an object"),
            ("images", "{}", #"images: expected either "render" or "directory""#),
            ("images", #"{"render": {}}"#, "images.render.seed: missing; expected an integer from 0"),
            ("images", #"{"render": {"seed": -1}}"#, "images.render.seed: expected an integer from 0"),
            (
                "images", #"{"render": {"seed": 1, "medianBytes": 10}}"#,
                "images.render.medianBytes: expected an integer from 60000 to 2000000"
            ),
            ("images", #"{"render": {"seed": 1, "sigma": 3}}"#, "images.render.sigma: expected a number from 0 to 2"),
            ("images", #"{"directory": "nowhere"}"#, "images.directory: expected a folder; there is none at "),
        ]
    )
    func `refuses a description`(_ key: String, _ json: String, _ message: String) throws {
        let error = try #require(throws: FeedDataSetError.self) { try Self.load(DescriptionFile(key, json).json) }
        #expect(error.message.hasPrefix(message))
    }

    @Test(arguments: ["schema", "project", "database", "bucket", "collection", "images", "users", "posts"])
    func `refuses a description without a key`(_ key: String) throws {
        let error = try #require(throws: FeedDataSetError.self) { try Self.load(DescriptionFile(key, nil).json) }
        #expect(error.message.hasPrefix("\(key): missing; expected "))
    }

    @Test(arguments: [
        ("", "feed.json is not valid JSON: Unexpected end of file"),
        (#"{"schema": 1"#, "feed.json is not valid JSON: Unexpected end of file"),
        (#"{"schema": }"#, "feed.json is not valid JSON: Invalid value around character 11"),
        ("[1]", "feed.json: expected an object"),
    ])
    func `refuses what is no JSON object`(_ json: String, _ message: String) throws {
        let error = try #require(throws: FeedDataSetError.self) { try Self.load(json) }
        #expect(error.code == .malformed)
        #expect(error.message.hasPrefix(message))
    }

    @Test func `names a path that does not exist`() throws {
        let error = try #require(throws: FeedDataSetError.self) { try FeedDataSet.load("/nonexistent/feed") }
        #expect(error.code == .notFound)
        #expect(error.message.hasPrefix("/nonexistent/feed: no such file or folder"))
    }
}
