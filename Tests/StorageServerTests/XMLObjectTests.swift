// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Testing

@testable import StorageServer

/// Objects by the XML API.
struct XMLObjectTests {
    static let target = "/bkt/docs/a.txt"
    static let now = "\(StorageFixture.time)"
    static let sums = "crc32c=yZRlqg==, md5=XrY7u+Ae7tCTyyK7j1rNww=="

    let fixture: StorageFixture

    init() throws {
        fixture = try StorageFixture()
    }

    @discardableResult
    func putHello(_ headers: [String: String] = [:]) async throws -> Answer {
        try await fixture.send(.put, Self.target, headers, "hello world")
    }

    @Test func `stores a body with its attributes`() async throws {
        let stored = try await putHello([
            "Content-Type": "text/plain", "Cache-Control": "max-age=60", "Content-Language": "en",
            "Content-Disposition": "inline", "X-Goog-Meta-Color": "red", "x-goog-meta-Size": "1, 2",
        ])
        #expect(stored.status == 200)
        #expect(stored.bytes.isEmpty)
        let said = [
            "ETag": FirebaseDownloadTests.tag, "x-goog-generation": Self.now, "x-goog-metageneration": "1",
            "x-goog-hash": Self.sums, "x-goog-stored-content-length": "11",
            "x-goog-stored-content-encoding": "identity",
        ]
        for (name, value) in said { #expect(stored[name] == value, "\(name)") }
        let answer = try await fixture.send(.get, Self.target)
        #expect(answer.status == 200)
        #expect(answer.text == "hello world")
        let expected = [
            "Content-Type": "text/plain", "Content-Length": "11", "ETag": FirebaseDownloadTests.tag,
            "Last-Modified": FirebaseDownloadTests.modified, "Cache-Control": "max-age=60",
            "Content-Disposition": "inline", "Content-Language": "en", "Accept-Ranges": "bytes",
            "x-goog-generation": Self.now, "x-goog-metageneration": "1", "x-goog-hash": Self.sums,
            "x-goog-storage-class": "STANDARD", "x-goog-stored-content-encoding": "identity",
            "x-goog-stored-content-length": "11", "x-goog-meta-color": "red", "x-goog-meta-size": "1, 2",
        ]
        for (name, value) in expected { #expect(answer[name] == value, "\(name)") }
        #expect(answer.headers.count == expected.count)
    }

    @Test(
        "lets caches keep what anybody may read",
        arguments: [([:], "public, max-age=3600"), (["Authorization": "Bearer x"], "private, max-age=0")]
            as [([String: String], String)]
    )
    func caching(headers: [String: String], expected: String) async throws {
        try await putHello()
        #expect(try await fixture.send(.get, Self.target, headers)["Cache-Control"] == expected)
    }

    @Test(
        "lets a URL say what its answer says of itself",
        arguments: [
            ("response-content-type=image%2Fpng", "Content-Type", "image/png"),
            (
                "response-content-disposition=attachment%3B%20filename%3D%22b%22", "Content-Disposition",
                "attachment; filename=\"b\""
            ),
            ("response-cache-control=no-store", "Cache-Control", "no-store"),
            ("response-content-type=", "Content-Type", "application/octet-stream"),
        ]
    )
    func overrides(query: String, name: String, value: String) async throws {
        try await putHello()
        #expect(try await fixture.send(.get, "\(Self.target)?\(query)")[name] == value)
    }

    @Test(
        "judges versions",
        arguments: [
            ("GET", target, "", ["x-goog-if-generation-match": now], 200, nil),
            ("GET", target, "", ["x-goog-if-generation-match": "1"], 412, "PreconditionFailed"),
            ("GET", target, "", ["x-goog-if-metageneration-match": "2"], 412, "PreconditionFailed"),
            ("GET", target, "?generation=\(now)", [:], 200, nil),
            ("GET", target, "?generation=1", [:], 404, "NoSuchKey"),
            ("GET", target, "?generation=x", [:], 400, "InvalidArgument"),
            ("GET", "/bkt/none", "", [:], 404, "NoSuchKey"), ("GET", "/none/a", "", [:], 404, "NoSuchBucket"),
            ("GET", "/bkt/none", "", ["x-goog-if-generation-match": "1"], 404, "NoSuchKey"),
            ("GET", target, "", ["If-Match": "\"x\""], 412, "PreconditionFailed"),
            ("GET", target, "", ["If-Match": FirebaseDownloadTests.tag], 200, nil),
            ("GET", target, "", ["If-Unmodified-Since": "Wed, 30 Sep 2026 17:26:03 GMT"], 412, "PreconditionFailed"),
            ("GET", target, "", ["If-Unmodified-Since": FirebaseDownloadTests.modified], 200, nil),
            ("GET", target, "", ["If-None-Match": FirebaseDownloadTests.tag], 304, nil),
            ("GET", target, "", ["If-Modified-Since": FirebaseDownloadTests.modified], 304, nil),
            ("GET", target, "", ["Range": "bytes=6-"], 206, nil),
            ("GET", target, "", ["Range": "bytes=11-"], 416, "InvalidRange"),
            ("GET", "\(target)?response-content-type=a%0Ab", "", [:], 400, "InvalidArgument"),
            ("PUT", target, "", ["x-goog-if-generation-match": "0"], 412, "PreconditionFailed"),
            ("PUT", target, "", ["x-goog-if-generation-match": now], 200, nil),
            ("PUT", target, "", ["x-goog-if-metageneration-match": "2"], 412, "PreconditionFailed"),
            ("PUT", target, "", ["x-goog-if-generation-match": "x"], 400, "InvalidArgument"),
            ("PUT", target, "", ["x-goog-encryption-key": "x"], 400, "InvalidArgument"),
            ("PUT", target, "", ["x-goog-custom-time": "x"], 400, "InvalidArgument"),
            ("DELETE", target, "", [:], 204, nil), ("DELETE", "/bkt/none", "", [:], 404, "NoSuchKey"),
            ("DELETE", "/none/none", "", [:], 404, "NoSuchBucket"),
            ("DELETE", target, "?generation=1", [:], 404, "NoSuchKey"),
            ("DELETE", target, "", ["x-goog-if-generation-match": "1"], 412, "PreconditionFailed"),
            ("GET", target, "?acl", [:], 200, nil), ("GET", "/bkt/none?acl", "", [:], 404, "NoSuchKey"),
            ("PUT", target, "?acl", [:], 200, nil), ("POST", target, "", [:], 400, "InvalidArgument"),
            ("PUT", target, "?upload_id=u", [:], 404, "NoSuchUpload"),
            ("GET", target, "?upload_id=u", [:], 405, "MethodNotAllowed"),
        ] as [(String, String, String, [String: String], Int, String?)]
    )
    func versions(
        method: String,
        path: String,
        query: String,
        headers: [String: String],
        status: Int,
        code: String?
    ) async throws {
        try await putHello()
        let answer = try await fixture.send(try #require(.init(method)), path + query, headers)
        #expect(answer.status == status)
        guard let code else { return }
        #expect(answer["Content-Type"] == "application/xml; charset=UTF-8")
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code)
        #expect(try XMLReader.read(answer.bytes).name == "Error")
        #expect(try fixture.bytes("docs/a.txt").map { String(decoding: $0, as: UTF8.self) } == "hello world")
    }

    @Test(
        "holds a body against its sums",
        arguments: [
            (["Content-MD5": "XrY7u+Ae7tCTyyK7j1rNww=="], 200, nil),
            (["x-goog-hash": "md5=XrY7u+Ae7tCTyyK7j1rNww==,crc32c=yZRlqg=="], 200, nil),
            (["Content-MD5": "XrY7u+Ae7tCTyyK7j1rNwg=="], 400, "BadDigest"),
            (["x-goog-hash": "crc32c=yZRlqw=="], 400, "BadDigest"), (["Content-MD5": "x"], 400, "InvalidDigest"),
            (["x-goog-hash": "sha1=abc"], 400, "InvalidDigest"),
        ] as [([String: String], Int, String?)]
    )
    func sums(headers: [String: String], status: Int, code: String?) async throws {
        let answer = try await putHello(headers)
        #expect(answer.status == status)
        if let code { #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code) }
        #expect(try fixture.isEmpty() == (status != 200))
    }

    @Test func `refuses a body over the limit and keeps nothing`() async throws {
        let small = try StorageFixture(objectByteCountMax: 10)
        let answer = try await small.send(.put, Self.target, [:], "hello world")
        #expect(answer.status == 400)
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == "EntityTooLarge")
        #expect(try small.isEmpty())
    }

    @Test func `names an absent object as production does`() async throws {
        try await putHello()
        let answer = try await fixture.send(.get, "/bkt/a%26b")
        let expected =
            "<?xml version='1.0' encoding='UTF-8'?><Error><Code>NoSuchKey</Code>"
            + "<Message>The specified key does not exist.</Message><Details>No such object: bkt/a&amp;b</Details></Error>"
        #expect(answer.text == expected)
    }

    @Test(
        "copies an object",
        arguments: [
            (["x-goog-copy-source": "bkt/docs/a.txt"], 200, "text/plain"),
            (["x-goog-copy-source": "/bkt/docs%2Fa.txt", "Content-Type": "a/b"], 200, "text/plain"),
            (
                [
                    "x-goog-copy-source": "bkt/docs/a.txt", "x-goog-metadata-directive": "REPLACE",
                    "Content-Type": "a/b",
                ],
                200, "a/b"
            ),
            (["x-goog-copy-source": "bkt/docs/a.txt", "x-goog-copy-source-generation": now], 200, "text/plain"),
            (["x-goog-copy-source": "bkt/docs/a.txt", "x-goog-copy-source-generation": "1"], 404, "NoSuchKey"),
            (
                ["x-goog-copy-source": "bkt/docs/a.txt", "x-goog-copy-source-if-generation-match": "1"], 412,
                "PreconditionFailed"
            ),
            (
                ["x-goog-copy-source": "bkt/docs/a.txt", "x-goog-copy-source-if-match": "\"x\""], 412,
                "PreconditionFailed"
            ),
            (["x-goog-copy-source": "bkt/docs/a.txt", "x-goog-if-generation-match": "1"], 412, "PreconditionFailed"),
            (["x-goog-copy-source": "bkt/none"], 404, "NoSuchKey"),
            (["x-goog-copy-source": "none/none"], 404, "NoSuchBucket"),
            (["x-goog-copy-source": "bkt"], 400, "InvalidArgument"),
            (["x-goog-copy-source": "bkt/docs/a.txt", "x-goog-metadata-directive": "X"], 400, "InvalidArgument"),
        ] as [([String: String], Int, String)]
    )
    func copies(headers: [String: String], status: Int, expected: String) async throws {
        try await putHello(["Content-Type": "text/plain"])
        let answer = try await fixture.send(.put, "/bkt/copy", headers)
        #expect(answer.status == status)
        let document = try XMLReader.read(answer.bytes)
        if status == 200 {
            #expect(document.name == "CopyObjectResult")
            #expect(document["ETag"]?.text == FirebaseDownloadTests.tag)
            #expect(document["LastModified"]?.text == "2026-09-30T17:26:04.648Z")
            let copy = try await fixture.send(.get, "/bkt/copy")
            #expect(copy.text == "hello world")
            #expect(copy["Content-Type"] == expected)
        } else {
            #expect(document["Code"]?.text == expected)
            #expect(try fixture.bytes("copy") == nil)
        }
    }

    @Test func `copies more than it holds at a time`() async throws {
        let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await fixture.send(.put, "/bkt/large", bytes: bytes)
        let answer = try await fixture.send(.put, "/bkt/copy", ["x-goog-copy-source": "bkt/large"])
        #expect(answer.status == 200)
        #expect(try fixture.bytes("copy") == bytes)
    }

    @Test func `keeps versions where the bucket does`() async throws {
        try await fixture.send(.put, "/bkt")
        let requested = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        #expect(try await fixture.send(.put, "/bkt?versioning", [:], requested).status == 200)
        #expect(try await fixture.send(.get, "/bkt?versioning").text.contains("<Status>Enabled</Status>"))
        let first = try #require(try await putHello()["x-goog-generation"])
        let second = try #require(try await fixture.send(.put, Self.target, [:], "new")["x-goog-generation"])
        #expect(try await fixture.send(.get, "\(Self.target)?generation=\(first)").text == "hello world")
        #expect(try await fixture.send(.get, Self.target).text == "new")
        let copy = ["x-goog-copy-source": "bkt/docs/a.txt", "x-goog-copy-source-generation": first]
        #expect(try await fixture.send(.put, "/bkt/copy", copy).status == 200)
        #expect(try fixture.bytes("copy").map { String(decoding: $0, as: UTF8.self) } == "hello world")
        #expect(try await fixture.send(.delete, "\(Self.target)?generation=\(first)").status == 204)
        #expect(try await fixture.send(.get, "\(Self.target)?generation=\(first)").status == 404)
        #expect(try await fixture.send(.get, "\(Self.target)?generation=\(second)").text == "new")
    }

    @Test func `wants the key of an object back`() async throws {
        let key = Data(repeating: 1, count: 32).base64EncodedString()
        let good = ["x-goog-encryption-algorithm": "AES256", "x-goog-encryption-key": key]
        let other = Data(repeating: 2, count: 32).base64EncodedString()
        #expect(try await putHello(good).status == 200)
        #expect(try await fixture.send(.get, Self.target, good).text == "hello world")
        #expect(try await fixture.send(.get, Self.target).status == 400)
        #expect(
            try await fixture.send(.get, Self.target, good.merging(["x-goog-encryption-key": other]) { $1 }).status
                == 400
        )
        let copy = ["x-goog-copy-source": "bkt/docs/a.txt"]
        #expect(try await fixture.send(.put, "/bkt/copy", copy).status == 400)
        let source = [
            "x-goog-copy-source-encryption-algorithm": "AES256", "x-goog-copy-source-encryption-key": key,
        ]
        #expect(try await fixture.send(.put, "/bkt/copy", copy.merging(source) { $1 }).status == 200)
        #expect(try await fixture.send(.get, "/bkt/copy").text == "hello world")
    }

    @Test func `takes an object in chunks`() async throws {
        let headers = ["x-goog-resumable": "start", "Content-Type": "text/plain", "x-goog-meta-a": "b"]
        let begun = try await fixture.send(.post, "\(Self.target)?x=y", headers)
        #expect(begun.status == 201)
        #expect(begun.bytes.isEmpty)
        let address = try #require(begun["Location"])
        let origin = "http://emulator.test:9199"
        #expect(address.hasPrefix("\(origin)\(Self.target)?upload_id="))
        let target = String(address.dropFirst(origin.count))
        let chunk = String(repeating: "x", count: 262_144)
        let first = try await fixture.send(.put, target, ["Content-Range": "bytes 0-262143/262149"], chunk)
        #expect(first.status == 308)
        #expect(first["Range"] == "bytes=0-262143")
        #expect(try fixture.bytes("docs/a.txt") == nil)
        let last = try await fixture.send(.put, target, ["Content-Range": "bytes 262144-262148/262149"], "hello")
        #expect(last.status == 200)
        #expect(last["x-goog-stored-content-length"] == "262149")
        let object = try await fixture.send(.get, Self.target)
        #expect(object.text == chunk + "hello")
        #expect(object["Content-Type"] == "text/plain")
        #expect(object["x-goog-meta-a"] == "b")
    }

    @Test func `a full disk is told without a code that clients repeat`() {
        let failure = XMLFailure(StorageFailure(status: 507, message: "no room", reason: "internalError"))
        #expect((failure.status, failure.code, failure.details) == (507, "InsufficientStorage", "no room"))
    }

    @Test func `takes an object in one go, or gives it up`() async throws {
        for isCancelled in [false, true] {
            let begun = try await fixture.send(.post, "/bkt/\(isCancelled)", ["x-goog-resumable": "start"])
            let target = try #require(begun["Location"]?.dropFirst("http://emulator.test:9199".count))
            if isCancelled { #expect(try await fixture.send(.delete, String(target)).status == 499) }
            let answer = try await fixture.send(.put, String(target), [:], "hello world")
            #expect(answer.status == (isCancelled ? 499 : 200))
            #expect(try fixture.bytes("\(isCancelled)") == (isCancelled ? nil : Array("hello world".utf8)))
        }
    }
}
