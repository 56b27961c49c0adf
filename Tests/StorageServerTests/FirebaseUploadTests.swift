// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// Uploads by the v0 API.
struct FirebaseUploadTests {
    static let target = "/v0/b/bkt/o?name=docs%2Fa.txt"

    let fixture: StorageFixture

    init() throws { fixture = try StorageFixture() }

    @Test func `answers a media upload with production's resource`() async throws {
        let answer = try await fixture.putHello()
        #expect(answer.status == 200)
        #expect(
            answer.text == """
                {
                  "name": "docs/a.txt",
                  "bucket": "bkt",
                  "generation": "1790789164648913",
                  "metageneration": "1",
                  "contentType": "text/plain",
                  "timeCreated": "2026-09-30T17:26:04.648Z",
                  "updated": "2026-09-30T17:26:04.648Z",
                  "storageClass": "STANDARD",
                  "size": "11",
                  "md5Hash": "XrY7u+Ae7tCTyyK7j1rNww==",
                  "crc32c": "yZRlqg==",
                  "etag": "CNGTm8DplpcDEAE=",
                  "contentDisposition": "inline; filename*=utf-8''a.txt",
                  "contentEncoding": "identity",
                  "downloadTokens": "token-1"
                }
                """
        )
    }

    @Test func `takes the attributes of a multipart upload`() async throws {
        let metadata = """
            {"name":"ignored","contentType":"image/png","contentEncoding":"gzip","contentDisposition":"inline",
             "contentLanguage":"eo","cacheControl":"no-store","crc32c":"yZRlqg==","md5Hash":"XrY7u+Ae7tCTyyK7j1rNww==",
             "metadata":{"a":"1","none":null,"firebaseStorageDownloadTokens":"t1,t2"},"size":11}
            """
        let body = MultipartBody(metadata: metadata).text
        let answer = try await fixture.send(.post, Self.target, MultipartBody.headers, body)
        #expect(answer.status == 200)
        let expected = [
            "name": "docs/a.txt", "contentType": "image/png", "contentEncoding": "gzip", "contentLanguage": "eo",
            "contentDisposition": "inline", "cacheControl": "no-store", "downloadTokens": "t1,t2", "metadata.a": "1",
        ]
        for (key, value) in expected { #expect(try answer.json(key) == value, "\(key)") }
        #expect(try answer.json("metadata.none") == nil)
        #expect(try fixture.bytes("docs/a.txt") == Array("hello world".utf8))
    }

    @Test(
        "takes multipart uploads of every dialect",
        arguments: [
            ("multipart/related; boundary=00418", MultipartBody()),
            ("multipart/related; boundary=\"00418\"", MultipartBody(mediaHeader: "content-TYPE:text/plain")),
            ("Multipart/Related; charset=utf-8; BOUNDARY='00418'", MultipartBody(lineEnd: "\n")),
            (
                "multipart/related; boundary=00418",
                MultipartBody(metadata: "", mediaHeader: "X: 1\r\nContent-Type: text/plain\r\nY: 2")
            ),
        ] as [(String, MultipartBody)]
    )
    func dialects(contentType: String, body: MultipartBody) async throws {
        let headers = ["X-Goog-Upload-Protocol": "MULTIPART", "Content-Type": contentType]
        let answer = try await fixture.send(.post, Self.target, headers, body.text)
        #expect(answer.status == 200)
        #expect(try answer.json("contentType") == "text/plain")
        #expect(try fixture.bytes("docs/a.txt") == Array("hello world".utf8))
    }

    @Test(
        "finds the name where the client put it",
        arguments: [
            ("/v0/b/bkt/o?name=a%2Fb", "{\"name\":\"other\"}", "a/b"), ("/v0/b/bkt/o", "{\"name\":\"a/b\"}", "a/b"),
            ("/v0/b/bkt/o?name=", "{\"name\":\"a/b\"}", "a/b"), ("/v0/b/bkt/o/a%2Fb", "{}", "a/b"),
            ("/v0/b/bkt/o?name=a%2F..%2Fb", "{}", "a/../b"), ("/v0/b/bkt/o?name=a%2F%2Fb", "{}", "a//b"),
            ("/v0/b/bkt/o?name=%C3%A9+1%2B", "{}", "é 1+"),
        ] as [(String, String, String)]
    )
    func names(target: String, metadata: String, name: String) async throws {
        let body = MultipartBody(metadata: metadata).text
        let answer = try await fixture.send(.post, target, MultipartBody.headers, body)
        #expect(try answer.json("name") == name)
        #expect(try fixture.bytes(name) != nil)
    }

    static let multipart = MultipartBody.headers

    static let refusals: [(String, [String: String], String, Int)] = [
        (target, multipart, String(MultipartBody().text.dropLast(5)), 400),
        (target, multipart, "", 400),
        (target, ["X-Goog-Upload-Protocol": "multipart", "Content-Type": "text/plain"], MultipartBody().text, 400),
        (target, ["X-Goog-Upload-Protocol": "multipart"], MultipartBody().text, 400),
        (target, multipart, MultipartBody(metadata: "{").text, 400),
        (target, multipart, MultipartBody(metadata: "[]").text, 400),
        (target, multipart, MultipartBody(metadata: "{\"contentType\":[]}").text, 400),
        (target, multipart, MultipartBody(metadata: "{\"metadata\":{\"a\":{}}}").text, 400),
        (target, multipart, MultipartBody(metadata: "{\"md5Hash\":\"AAAAAAAAAAAAAAAAAAAAAA==\"}").text, 400),
        (target, multipart, MultipartBody(metadata: "{\"md5Hash\":\"zz\"}").text, 400),
        (target, multipart, MultipartBody(metadata: "{\"crc32c\":\"AAAAAA==\"}").text, 400),
        (target, multipart, MultipartBody(metadata: "{\"crc32c\":\"A\"}").text, 400),
        (target, ["x-goog-hash": "crc32c=AAAAAA=="], "hello", 400),
        (target, ["x-goog-hash": "sha1=AAAA"], "hello", 400),
        ("/v0/b/bkt/o", [:], "hello", 400), ("/v0/b/bkt/o", multipart, MultipartBody().text, 400),
        ("/v0/b/bkt/o", multipart, MultipartBody(metadata: "{\"name\":\"a\\nb\"}").text, 400),
        ("/v0/b/bkt/o?name=a%0D%0Ab", [:], "hello", 400), ("/v0/b/bkt/o?name=%FF", [:], "hello", 400),
        ("/v0/b/bkt/o?name=" + String(repeating: "a", count: 1_025), [:], "hello", 400),
        ("/v0/b/BKT/o?name=a", [:], "hello", 400), (target, ["X-Goog-Upload-Protocol": "carrier"], "hello", 400),
        (target, ["X-Goog-Upload-Protocol": "resumable"], "{}", 400),
        (target, ["X-Goog-Upload-Command": "upload, finalize"], "hello", 404),
        (target + "&upload_id=1", ["X-Goog-Upload-Command": "query"], "", 404),
        (target, ["X-Goog-Upload-Command": "begin"], "{}", 400), (target, ["Content-Length": "12"], "hello", 400),
        (target, ["X-HTTP-Method-Override": "PATCH"], "{}", 405), ("/v0/b/bkt/o/a?create_token=true", [:], "", 404),
        ("/v0/b/bkt/o/a?create_token=false", [:], "", 400),
    ]

    @Test("refuses and stores nothing", arguments: refusals)
    func refuses(target: String, headers: [String: String], body: String, status: Int) async throws {
        let answer = try await fixture.send(.post, target, headers, body)
        #expect(answer.status == status)
        #expect(try answer.json("error.code") == "\(status)")
        #expect(try fixture.isEmpty())
    }

    @Test func `tells the number of parts in plain text, as production's servers for uploads do`() async throws {
        let body = "--00418\r\n\r\n{}\r\n--00418--"
        let answer = try await fixture.send(.post, Self.target, Self.multipart, body)
        #expect(answer.status == 400)
        #expect(answer.text == "Multipart body does not contain 2 or 3 parts.")
        #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
        #expect(answer["Access-Control-Allow-Origin"] == "*")
        #expect(try fixture.isEmpty())
    }

    @Test(arguments: [
        (FirebaseUploadTests.target, "text/plain; charset=utf-8"),
        ("/upload/storage/v1/b/bkt/o?uploadType=multipart&name=a", "text/html; charset=UTF-8"),
    ])
    func `says in bare words that the metadata part is too large`(target: String, type: String) async throws {
        let metadata = "{\"metadata\":{\"custom\":\"\(String(repeating: "a", count: 2_100_000))\"}}"
        let body = MultipartBody(metadata: metadata).text
        let answer = try await fixture.send(.post, target, MultipartBody.headers, body)
        #expect(answer.status == 400)
        #expect(answer["Content-Type"] == type)
        #expect(answer.text == "Metadata part is too large.")
        #expect(try fixture.isEmpty())
    }

    @Test func `takes names of 1024 bytes`() async throws {
        let name = String(repeating: "é", count: 512)
        let answer = try await fixture.send(
            .post,
            "/v0/b/bkt/o",
            MultipartBody.headers,
            MultipartBody(metadata: "{\"name\":\"\(name)\"}").text
        )
        #expect(try answer.json("name") == name)
    }

    @Test func `checks a hash in the header`() async throws {
        let hash = ["x-goog-hash": "crc32c=yZRlqg==, md5=XrY7u+Ae7tCTyyK7j1rNww=="]
        #expect(try await fixture.send(.post, Self.target, hash, "hello world").status == 200)
    }

    @Test func `refuses an object over the limit`() async throws {
        let small = try StorageFixture(objectByteCountMax: 10)
        #expect(try await small.send(.post, Self.target, [:], "hello world").status == 413)
        #expect(try await small.send(.post, Self.target, MultipartBody.headers, MultipartBody().text).status == 413)
        #expect(try small.isEmpty())
        #expect(try await small.send(.post, Self.target, [:], "hello worl").status == 200)
    }

    @Test func `keeps the old object when its replacement fails`() async throws {
        try await fixture.putHello()
        #expect(try await fixture.send(.post, Self.target, ["Content-Length": "100"], "new").status == 400)
        #expect(try fixture.bytes("docs/a.txt") == Array("hello world".utf8))
    }
}
