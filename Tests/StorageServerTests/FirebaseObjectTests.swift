// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// Metadata, changes, deletions and listings by the v0 API, and what browsers ask before.
struct FirebaseObjectTests {
    static let object = "/v0/b/bkt/o/docs%2Fa.txt"

    let fixture: StorageFixture

    init() async throws {
        fixture = try StorageFixture()
        try await fixture.putHello()
    }

    @Test func `says that it is an emulator`() async throws {
        #expect(try await fixture.send(.get, "/v0/").json("emulator") == "storage")
    }

    @Test func `gives a tokenless object one token, and only to those who may read it`() async throws {
        try await fixture.send(.post, "/upload/storage/v1/b/bkt/o?uploadType=media&name=t", [:], "x")
        #expect(try await fixture.send(.get, "/v0/b/bkt/o/t?token=guess").status == 403)
        #expect(try await fixture.send(.get, "/v0/b/bkt/o/t?alt=media")["x-goog-metageneration"] == "1")
        let first = try await fixture.send(.get, "/v0/b/bkt/o/t")
        #expect(try first.json("downloadTokens") == "token-2")
        #expect(try first.json("metageneration") == "2")
        #expect(try await fixture.send(.get, "/v0/b/bkt/o/t").text == first.text)
    }

    @Test(
        "changes attributes",
        arguments: [
            ("{\"contentType\":\"a/b\"}", "contentType", "a/b"),
            ("{\"contentType\":null}", "contentType", "application/octet-stream"),
            ("{\"cacheControl\":\"no-store\"}", "cacheControl", "no-store"),
            ("{\"cacheControl\":null}", "cacheControl", nil),
            ("{\"contentDisposition\":null}", "contentDisposition", nil),
            ("{\"contentEncoding\":\"identity\"}", "contentEncoding", "identity"),
            ("{\"metadata\":{\"a\":\"1\"}}", "metadata.a", "1"), ("{\"metadata\":{\"a\":null}}", "metadata.a", nil),
            ("{\"metadata\":null}", "metadata", nil), ("{}", "metageneration", "2"),
            ("{\"metadata\":{\"firebaseStorageDownloadTokens\":\"x\"}}", "downloadTokens", "x"),
            ("{\"metadata\":null}", "downloadTokens", "token-1"), ("{\"size\":\"0\"}", "size", "11"),
        ] as [(String, String, String?)]
    )
    func patches(body: String, key: String, value: String?) async throws {
        let answer = try await fixture.send(.patch, Self.object, [:], body)
        #expect(answer.status == 200)
        #expect(try answer.json(key) == value)
        #expect(try await fixture.send(.get, Self.object).text == answer.text)
    }

    @Test func `takes a PUT with an override for a PATCH, not for an upload`() async throws {
        let answer = try await fixture.send(.put, Self.object, ["X-HTTP-Method-Override": "PATCH"], "{}")
        #expect(try answer.json("metageneration") == "2")
        #expect(try fixture.bytes("docs/a.txt") == Array("hello world".utf8))
    }

    @Test(
        "refuses a change",
        arguments: [
            (object, "{", 400), (object, "[]", 400), (object, "{\"contentType\":{}}", 400),
            (object, "{\"metadata\":\"x\"}", 400), ("/v0/b/bkt/o/none", "{}", 403), ("/v0/b/none/o/none", "{}", 403),
            (object, "{\"metadata\":{\"a\":\"" + String(repeating: "x", count: 8_192) + "\"}}", 400),
            (object, "{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}", 400),
        ] as [(String, String, Int)]
    )
    func refusesPatch(path: String, body: String, status: Int) async throws {
        #expect(try await fixture.send(.patch, path, [:], body).status == status)
        #expect(try await fixture.send(.get, Self.object).json("metageneration") == "1")
    }

    @Test func `deletes an object once`() async throws {
        let first = try await fixture.send(.delete, Self.object)
        #expect(first.status == 204)
        #expect(first.bytes.isEmpty)
        #expect(try await fixture.send(.delete, Self.object).status == 404)
        #expect(try fixture.isEmpty())
    }

    @Test func `lists pages of names and prefixes`() async throws {
        let empty = try await fixture.send(.get, "/v0/b/other/o")
        #expect(empty.text == "{\n  \"prefixes\": [],\n  \"items\": []\n}")
        for name in ["a", "b", "dir/x", "dir/y", "dir2/x", "zz", "dir//hidden", "hidden/", "/hidden"] {
            try await fixture.send(
                .post,
                "/v0/b/list/o",
                MultipartBody.headers,
                MultipartBody(metadata: "{\"name\":\"\(name)\"}").text
            )
        }
        var pages: [[String]] = []
        var token: String?
        repeat {
            let suffix = token.map { "&pageToken=\($0)" } ?? ""
            let page = try await fixture.send(.get, "/v0/b/list/o?delimiter=%2F&maxResults=2" + suffix)
            let prefixes = try (0..<2).compactMap { try page.json("prefixes.\($0)") }
            pages.append(try page.json(each: "items", "name") + prefixes)
            token = try page.json("nextPageToken")
        } while token != nil
        #expect(pages.flatMap { $0 } == ["a", "b", "dir/", "dir2/", "hidden/", "zz"])
        let all = try await fixture.send(.get, "/v0/b/list/o")
        #expect(try all.json(each: "items", "name") == ["a", "b", "dir/x", "dir/y", "dir2/x", "zz"])
        let inside = try await fixture.send(.get, "/v0/b/list/o?prefix=dir%2F&delimiter=%2F")
        #expect(try inside.json(each: "items", "name") == ["dir/x", "dir/y"])
        #expect(try inside.json(each: "items", "bucket") == ["list", "list"])
    }

    @Test(arguments: ["prefix=a", "maxResults=x", "maxResults=-1", "maxResults=0", "pageToken=%21", "prefix=%FF"])
    func `refuses a listing`(query: String) async throws {
        #expect(try await fixture.send(.get, "/v0/b/bkt/o?\(query)").status == 400)
    }

    @Test(arguments: [("/v0/b/bkt/o", 405), ("/v0/b/bkt", 404), ("/v0/", 405), ("/v0/b/B/o", 400)])
    func `refuses a wrong method or path`(path: String, status: Int) async throws {
        let answer = try await fixture.send(.delete, path)
        #expect(answer.status == status)
        #expect(try answer.json("error.code") == "\(status)")
    }

    @Test func `lets pages of other origins in`() async throws {
        let asked = [
            "Origin": "http://localhost:3000", "Access-Control-Request-Headers": "x-goog-upload-protocol",
            "Access-Control-Request-Private-Network": "true",
        ]
        let preflight = try await fixture.send(.options, Self.object, asked)
        #expect(preflight.status == 204)
        #expect(preflight["Access-Control-Allow-Origin"] == "http://localhost:3000")
        #expect(preflight["Access-Control-Allow-Headers"] == "x-goog-upload-protocol")
        #expect(preflight["Access-Control-Allow-Methods"]?.contains("PATCH") == true)
        #expect(preflight["Access-Control-Allow-Private-Network"] == "true")
        let failure = try await fixture.send(.get, "/v0/b/bkt/o/none", ["Origin": "http://a.test"])
        #expect(failure["Access-Control-Allow-Origin"] == "http://a.test")
        #expect(failure["Access-Control-Expose-Headers"]?.contains("X-Goog-Upload-URL") == true)
        #expect(failure["Vary"] == "Origin")
        #expect(try await fixture.send(.get, Self.object)["Access-Control-Allow-Origin"] == "*")
        #expect(try await fixture.send(.get, "\(Self.object)?alt=media")["Access-Control-Allow-Origin"] == nil)
    }
}
