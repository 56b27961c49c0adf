// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// Objects by Google's JSON API.
struct JSONObjectTests {
    static let object = "/storage/v1/b/bkt/o/docs%2Fa.txt"
    static let time = "\(StorageFixture.time)"

    let fixture: StorageFixture

    init() async throws {
        fixture = try StorageFixture()
        let target = "/upload/storage/v1/b/bkt/o?uploadType=media&name=docs%2Fa.txt"
        try await fixture.send(.post, target, ["Content-Type": "text/plain"], "hello world")
    }

    @Test func `describes an object with links back through the client's address`() async throws {
        let answer = try await fixture.send(.get, Self.object)
        #expect(answer["ETag"] == "CNGTm8DplpcDEAE=")
        #expect(
            answer.text == """
                {
                  "kind": "storage#object",
                  "id": "bkt/docs/a.txt/\(Self.time)",
                  "selfLink": "http://emulator.test:9199/storage/v1/b/bkt/o/docs%2Fa.txt",
                  "mediaLink": "http://emulator.test:9199/download/storage/v1/b/bkt/o/docs%2Fa.txt?generation=\(Self.time)&alt=media",
                  "name": "docs/a.txt",
                  "bucket": "bkt",
                  "generation": "\(Self.time)",
                  "metageneration": "1",
                  "contentType": "text/plain",
                  "timeCreated": "2026-09-30T17:26:04.648Z",
                  "updated": "2026-09-30T17:26:04.648Z",
                  "storageClass": "STANDARD",
                  "size": "11",
                  "md5Hash": "XrY7u+Ae7tCTyyK7j1rNww==",
                  "crc32c": "yZRlqg==",
                  "etag": "CNGTm8DplpcDEAE=",
                  "timeStorageClassUpdated": "2026-09-30T17:26:04.648Z",
                  "timeFinalized": "2026-09-30T17:26:04.648Z"
                }
                """
        )
    }

    @Test(arguments: ["/b/bkt/o/docs%2Fa.txt", object, "/storage/v1/b/bkt/o/docs%2Fa.txt?projection=full"])
    func `answers with and without the prefix`(path: String) async throws {
        #expect(try await fixture.send(.get, path).json("name") == "docs/a.txt")
    }

    @Test func `tells download tokens among the custom metadata`() async throws {
        try await fixture.send(.post, "/v0/b/bkt/o?name=v0", [:], "x")
        let answer = try await fixture.send(.get, "/b/bkt/o/v0")
        #expect(try answer.json("metadata.firebaseStorageDownloadTokens") == "token-1")
        #expect(try answer.json("contentDisposition") == "inline; filename*=utf-8''v0")
        let patch = "{\"metadata\":{\"firebaseStorageDownloadTokens\":null,\"a\":\"1\"}}"
        let patched = try await fixture.send(.patch, "/b/bkt/o/v0", [:], patch)
        #expect(try patched.json("metadata.a") == "1")
        #expect(try patched.json("metadata.firebaseStorageDownloadTokens") == nil)
    }

    @Test(
        "keeps to the fields and the form that are asked for",
        arguments: [
            ("fields=name", "{\n  \"name\": \"docs/a.txt\"\n}"), ("fields=none", "{}"),
            ("fields=size,name&prettyPrint=false", "{\"name\":\"docs/a.txt\",\"size\":\"11\"}"),
        ] as [(String, String)]
    )
    func fields(query: String, text: String) async throws {
        #expect(try await fixture.send(.get, "\(Self.object)?\(query)").text == text)
    }

    @Test(arguments: [
        "/storage/v1/b/bkt/o/docs%2Fa.txt", "/download/storage/v1/b/bkt/o/docs%2Fa.txt", "/b/bkt/o/docs%2Fa.txt",
    ])
    func `answers media with the JSON API's header fields`(path: String) async throws {
        let answer = try await fixture.send(.get, "\(path)?alt=media", ["Origin": "http://a.test"])
        #expect(answer.text == "hello world")
        let expected = [
            "ETag": "CNGTm8DplpcDEAE=", "Content-Disposition": "attachment", "Vary": "Origin, X-Origin",
            "Cache-Control": "no-cache, no-store, max-age=0, must-revalidate", "x-goog-metageneration": "1",
            "x-goog-hash": "crc32c=yZRlqg==,md5=XrY7u+Ae7tCTyyK7j1rNww==", "x-goog-stored-content-length": "11",
            "Last-Modified": "Wed, 30 Sep 2026 17:26:04 GMT",
        ]
        for (name, value) in expected { #expect(answer[name] == value, "\(name)") }
        #expect(answer["Content-Encoding"] == nil)
    }

    @Test(
        "says what is wrong with a media request in plain text",
        arguments: [
            ("/b/bkt/o/none?alt=media", [:], 404, "No such object: bkt/none"),
            ("/download/storage/v1/b/bkt/o/none", [:], 404, "No such object: bkt/none"),
            ("\(object)?alt=media", ["Range": "bytes=11-"], 416, "Request range not satisfiable"),
            (
                "\(object)?alt=media&ifGenerationMatch=1", [:], 412,
                "At least one of the pre-conditions you specified did not hold."
            ),
        ] as [(String, [String: String], Int, String)]
    )
    func plain(path: String, headers: [String: String], status: Int, text: String) async throws {
        let answer = try await fixture.send(.get, path, headers)
        #expect(answer.status == status)
        #expect(answer.text == text)
        #expect(answer["Content-Type"] == "text/html; charset=UTF-8")
    }

    @Test(
        "refuses in Google's form",
        arguments: [
            ("GET", "/b/bkt/o/none", 404, "notFound", "No such object: bkt/none"),
            ("DELETE", "/b/bkt/o/none", 404, "notFound", "No such object: bkt/none"),
            ("PATCH", "/b/bkt/o/none", 404, "notFound", "No such object: bkt/none"),
            ("GET", "/b/bkt/o/a?generation=x", 400, "invalidParameter", "Invalid long value: 'x'."),
            ("GET", "/b/bkt/o/a?ifGenerationMatch=", 400, "invalidParameter", "Invalid long value: ''."),
            ("GET", "/b/BKT", 400, "invalid", "Invalid bucket name"),
            ("GET", "/b/bkt/o/a%0A", 404, "notFound", "No such object: bkt/a\n"),
            ("GET", "/b/bkt/o?pageToken=!", 400, "invalid", "page token"),
            ("POST", "/b/bkt/o/a/compose", 400, "invalid", "You must provide at least one source component."),
            ("POST", "/b/bkt/o/none/rewriteTo/b/bkt/o/a", 404, "notFound", "No such object: bkt/none"),
            ("POST", "/b/bkt/o/none/copyTo/b/bkt/o/a", 404, "notFound", "No such object: bkt/none"),
            ("POST", "/upload/storage/v1/b/bkt/o?uploadType=resumable", 400, "required", "Required parameter: name"),
            ("PUT", "/upload/storage/v1/b/bkt/o?upload_id=1", 404, "notFound", "upload session"),
            ("POST", "/upload/storage/v1/b/bkt/o?uploadType=media", 400, "required", "Required parameter: name"),
            ("POST", "/upload/storage/v1/b/bkt/o?name=x", 400, "invalid", "The parameter uploadType must be"),
        ] as [(String, String, Int, String, String)]
    )
    func refuses(method: String, path: String, status: Int, reason: String, message: String) async throws {
        let answer = try await fixture.send(try #require(.init(method)), path, [:], "{}")
        #expect(answer.status == status)
        #expect(try answer.json("error.code") == "\(status)")
        #expect(try answer.json("error.errors.0.reason") == reason)
        #expect(try answer.json("error.errors.0.domain") == "global")
        #expect(try answer.json("error.message")?.contains(message) == true)
        #expect(try answer.json("error.errors.0.message") == answer.json("error.message"))
    }

    @Test(
        "refuses names and descriptions of uploads in JSON that calls itself HTML",
        arguments: [
            ("name=a%0A&uploadType=media", "Disallowed unicode characters present in object name 'a\\n'"),
            ("uploadType=resumable", "Parse Error: "),
        ]
    )
    func markup(query: String, message: String) async throws {
        let answer = try await fixture.send(.post, "/upload/storage/v1/b/bkt/o?\(query)", [:], "{")
        #expect(answer.status == 400)
        #expect(answer["Content-Type"] == "text/html; charset=UTF-8")
        #expect(answer.text.hasPrefix("{\"error\":{\"code\":400,\"message\":\"\(message)"))
        #expect(answer.text.hasSuffix(",\"domain\":\"global\",\"reason\":\"invalid\"}]}}"))
    }

    @Test func `takes a multipart upload with the boundary in quotes`() async throws {
        let headers = ["Content-Type": "multipart/related; boundary=\"00418\""]
        let metadata = "{\"name\":\"m\",\"crc32c\":\"yZRlqg==\",\"storageClass\":\"NEARLINE\"}"
        let target = "/upload/b/bkt/o?uploadType=multipart"
        let answer = try await fixture.send(.post, target, headers, MultipartBody(metadata: metadata).text)
        #expect(try answer.json("contentType") == "text/plain")
        #expect(try answer.json("storageClass") == "NEARLINE")
        #expect(try answer.json("metadata") == nil)
        #expect(try fixture.bytes("m") == Array("hello world".utf8))
    }

    @Test func `lists objects and prefixes`() async throws {
        #expect(try await fixture.send(.get, "/b/other/o?prettyPrint=false").text == "{\"kind\":\"storage#objects\"}")
        for name in ["a", "b", "c%2Fd", "e"] {
            try await fixture.send(.post, "/upload/b/list/o?uploadType=media&name=\(name)")
        }
        let first = try await fixture.send(.get, "/storage/v1/b/list/o?delimiter=%2F&maxResults=3")
        #expect(try first.json(each: "items", "name") == ["a", "b"])
        #expect(try first.json("prefixes.0") == "c/")
        let token = try #require(try first.json("nextPageToken"))
        let second = try await fixture.send(.get, "/storage/v1/b/list/o?delimiter=%2F&maxResults=3&pageToken=\(token)")
        #expect(try second.json(each: "items", "name") == ["e"])
        #expect(try second.json("prefixes") == nil)
        let offsets = try await fixture.send(.get, "/b/list/o?startOffset=b&endOffset=e&prefix=")
        #expect(try offsets.json(each: "items", "name") == ["b", "c/d"])
        #expect(try offsets.json("items.0.kind") == "storage#object")
    }
}
