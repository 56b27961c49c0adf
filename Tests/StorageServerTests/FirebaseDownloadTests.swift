// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

/// `alt=media` of the v0 API.
struct FirebaseDownloadTests {
    static let media = "/v0/b/bkt/o/docs%2Fa.txt?alt=media"
    static let tag = "\"5eb63bbbe01eeed093cb22bb8f5acdc3\""
    static let modified = "Wed, 30 Sep 2026 17:26:04 GMT"

    let fixture: StorageFixture

    init() async throws {
        fixture = try StorageFixture()
        try await fixture.putHello()
    }

    @Test func `answers with production's header fields`() async throws {
        let answer = try await fixture.send(.get, Self.media)
        #expect(answer.status == 200)
        #expect(answer.text == "hello world")
        let expected = [
            "Content-Type": "text/plain", "Content-Length": "11", "ETag": Self.tag, "Last-Modified": Self.modified,
            "Cache-Control": "private, max-age=0", "Content-Disposition": "inline; filename*=utf-8''a.txt",
            "Accept-Ranges": "bytes", "x-goog-generation": "\(StorageFixture.time)", "x-goog-metageneration": "1",
            "x-goog-hash": "crc32c=yZRlqg==, md5=XrY7u+Ae7tCTyyK7j1rNww==", "x-goog-storage-class": "STANDARD",
            "x-goog-stored-content-encoding": "identity", "x-goog-stored-content-length": "11",
            "x-goog-meta-firebasestoragedownloadtokens": "token-1",
        ]
        for (name, value) in expected { #expect(answer[name] == value, "\(name)") }
        #expect(answer["Expires"]?.hasSuffix(" GMT") == true)
        #expect(answer.headers.count == expected.count + 1)
    }

    @Test(
        "answers ranges",
        arguments: [
            ("bytes=0-4", 206, "hello", "bytes 0-4/11"), ("bytes=6-", 206, "world", "bytes 6-10/11"),
            ("bytes=-5", 206, "world", "bytes 6-10/11"), ("bytes=0-99", 206, "hello world", "bytes 0-10/11"),
            ("bytes=11-20", 416, nil, nil), ("bytes=-0", 416, nil, nil),
            ("nonsense", 200, "hello world", nil),
        ] as [(String, Int, String?, String?)]
    )
    func ranges(range: String, status: Int, text: String?, contentRange: String?) async throws {
        let answer = try await fixture.send(.get, Self.media, ["Range": range])
        #expect(answer.status == status)
        #expect(answer["Content-Range"] == contentRange)
        if let text {
            #expect(answer.text == text)
        } else {
            #expect(answer.text.contains("<Code>InvalidRange</Code>"))
            #expect(answer.text.contains("<Details>\(range)</Details>"))
            #expect(answer["ETag"] == Self.tag)
            #expect(answer["Content-Type"] == "application/xml; charset=UTF-8")
        }
    }

    @Test(
        "minds conditions",
        arguments: [
            (["If-None-Match": tag], 304), (["If-None-Match": "\"x\", W/\(tag)"], 304), (["If-None-Match": "*"], 304),
            (["If-None-Match": "\"x\""], 200), (["If-Modified-Since": modified], 304),
            (["If-Modified-Since": "Wed, 30 Sep 2026 17:26:03 GMT"], 200),
            (["If-Modified-Since": modified, "If-None-Match": "\"x\""], 200),
            (["If-None-Match": tag, "Range": "bytes=0-1"], 304),
            (["If-Range": tag, "Range": "bytes=0-1"], 206), (["If-Range": modified, "Range": "bytes=0-1"], 206),
            (["If-Range": "\"x\"", "Range": "bytes=0-1"], 200), (["If-Range": "W/\(tag)", "Range": "bytes=0-1"], 200),
            (["If-Range": "\"x\"", "Range": "bytes=99-"], 200),
        ] as [([String: String], Int)]
    )
    func conditions(headers: [String: String], status: Int) async throws {
        let answer = try await fixture.send(.get, Self.media, headers)
        #expect(answer.status == status)
        #expect(answer["ETag"] == Self.tag)
        #expect(answer["Last-Modified"] == Self.modified)
        if status == 304 {
            #expect(answer.bytes.isEmpty)
            #expect(answer["Content-Type"] == nil)
            #expect(answer["Cache-Control"] == "private, max-age=0")
        }
    }

    @Test(
        "admits a token and refuses a stale one",
        arguments: [
            ("", [:], 200), ("&token=token-1", [:], 200), ("&token=stale", [:], 403), ("&token=", [:], 403),
            ("&token=stale", ["Authorization": "Bearer owner"], 200),
            ("&token=stale", ["Authorization": "Firebase owner"], 200),
            ("&token=stale", ["Authorization": "Bearer other"], 403),
        ] as [(String, [String: String], Int)]
    )
    func tokens(query: String, headers: [String: String], status: Int) async throws {
        let answer = try await fixture.send(.get, Self.media + query, headers)
        #expect(answer.status == status)
        if status == 403 { #expect(try answer.json("error.message") == "Permission denied.") }
    }

    @Test func `tells the administrator's caches to keep nothing`() async throws {
        let answer = try await fixture.send(.get, Self.media, ["Authorization": "Bearer owner"])
        #expect(answer["Cache-Control"] == "no-cache, no-store, max-age=0, must-revalidate")
    }

    @Test func `answers an empty object whole and none of its ranges`() async throws {
        try await fixture.send(.post, "/v0/b/bkt/o?name=empty")
        let path = "/v0/b/bkt/o/empty?alt=media"
        let whole = try await fixture.send(.get, path)
        #expect(whole.status == 200)
        #expect(whole["Content-Length"] == "0")
        #expect(try await fixture.send(.get, path, ["Range": "bytes=0-0"]).status == 416)
        #expect(try await fixture.send(.get, path, ["Range": "bytes=-5"]).status == 200)
    }

    @Test func `streams a large object and its ranges`() async throws {
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        try await fixture.send(.post, "/v0/b/bkt/o?name=big", bytes: bytes)
        #expect(try await fixture.send(.get, "/v0/b/bkt/o/big?alt=media").bytes == bytes)
        let part = try await fixture.send(.get, "/v0/b/bkt/o/big?alt=media", ["Range": "bytes=1-999998"])
        #expect(part.bytes == Array(bytes[1..<999_999]))
    }

    @Test func `answers HEAD with the length of the whole object`() async throws {
        let answer = try await fixture.send(.head, Self.media, ["Range": "bytes=0-1"])
        #expect(answer.status == 200)
        #expect(answer["Content-Length"] == "11")
        #expect(answer.bytes.isEmpty)
    }

    @Test(arguments: ["/v0/b/bkt/o/none", "/v0/b/bkt/o/none?alt=media", "/v0/b/none/o/none"])
    func `misses an absent object in Google's words`(path: String) async throws {
        let answer = try await fixture.send(.get, path)
        #expect(answer.status == 404)
        #expect(answer["Content-Type"] == "application/json; charset=UTF-8")
        #expect(try answer.json("error.code") == "404")
        #expect(try answer.json("error.message") == "Not Found.")
    }
}
