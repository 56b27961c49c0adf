// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ObjectStore
import Testing

@testable import StorageServer

/// Multipart uploads of the XML API, as Google's transfer managers use them.
struct XMLPartTests {
    static let target = "/bkt/docs/a.txt"

    let fixture: StorageFixture

    init() throws {
        fixture = try StorageFixture()
    }

    func begin(_ headers: [String: String] = [:]) async throws -> String {
        let answer = try await fixture.send(.post, "\(Self.target)?uploads", headers)
        #expect(answer.status == 200)
        let document = try XMLReader.read(answer.bytes)
        #expect(document.name == "InitiateMultipartUploadResult")
        #expect(answer.text.contains(" xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>"))
        #expect(document["Bucket"]?.text == "bkt")
        #expect(document["Key"]?.text == "docs/a.txt")
        return try #require(document["UploadId"]?.text)
    }

    /// Sends a part; returns its entity tag.
    func put(_ number: Int, _ id: String, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await fixture.send(.put, "\(Self.target)?partNumber=\(number)&uploadId=\(id)", headers, body)
    }

    static func completion(_ parts: [(Int, String)]) -> String {
        let list = parts.map { "<Part><PartNumber>\($0.0)</PartNumber><ETag>\($0.1)</ETag></Part>" }
        return "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
    }

    func complete(_ id: String, _ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await fixture.send(.post, "\(Self.target)?uploadId=\(id)", headers, body)
    }

    @Test func `makes an object of its parts in order`() async throws {
        let id = try await begin(["Content-Type": "text/plain", "x-goog-meta-a": "b"])
        let second = try await put(2, id, "world")
        _ = try await put(1, id, "an earlier try")
        let first = try await put(1, id, "hello ")
        #expect(first.status == 200)
        #expect(first["x-goog-hash"]?.hasPrefix("crc32c=") == true)
        #expect(try fixture.bytes("docs/a.txt") == nil)
        let tags = try [first, second].map { try #require($0["ETag"]) }
        let answer = try await complete(id, Self.completion([(1, tags[0]), (2, tags[1])]))
        #expect(answer.status == 200)
        let document = try XMLReader.read(answer.bytes)
        #expect(document.name == "CompleteMultipartUploadResult")
        #expect(document["ETag"]?.text == "\"-CNGTm8DplpcDEAE=\"")
        let object = try await fixture.send(.get, Self.target)
        #expect(object.text == "hello world")
        #expect(object["Content-Type"] == "text/plain")
        #expect(object["x-goog-meta-a"] == "b")
        #expect(try await complete(id, Self.completion([(1, tags[0])])).status == 404)
    }

    @Test func `lists parts page by page`() async throws {
        let id = try await begin()
        for number in [3, 1, 7] { _ = try await put(number, id, "part \(number)") }
        var (numbers, marker): ([String], String?) = ([], "0")
        while let last = marker {
            let query = "?uploadId=\(id)&max-parts=2&part-number-marker=\(last)"
            let page = try XMLReader.read(try await fixture.send(.get, Self.target + query).bytes)
            numbers += page.all("Part").compactMap { $0["PartNumber"]?.text }
            marker = page["NextPartNumberMarker"]?.text
            #expect(page["IsTruncated"]?.text == (marker == nil ? "false" : "true"))
        }
        #expect(numbers == ["1", "3", "7"])
    }

    @Test func `forgets what is aborted`() async throws {
        let id = try await begin()
        #expect(try await fixture.send(.delete, "\(Self.target)?uploadId=\(id)").status == 204)
        #expect(try await put(1, id, "x").status == 404)
        #expect(try await fixture.send(.get, "\(Self.target)?uploadId=\(id)").status == 404)
        #expect(try await fixture.send(.delete, "\(Self.target)?uploadId=\(id)").status == 404)
    }

    @Test(
        "refuses",
        arguments: [
            ("PUT", "?partNumber=0&uploadId=BEGUN", "", "InvalidArgument"),
            ("PUT", "?partNumber=10001&uploadId=BEGUN", "", "InvalidArgument"),
            ("PUT", "?partNumber=x&uploadId=BEGUN", "", "InvalidArgument"),
            ("PUT", "?uploadId=BEGUN", "", "InvalidArgument"),
            ("PUT", "?partNumber=1&uploadId=x", "", "NoSuchUpload"),
            ("GET", "?uploadId=x", "", "NoSuchUpload"),
            ("GET", "?uploadId=BEGUN&max-parts=x", "", "InvalidArgument"),
            ("PATCH", "?uploadId=BEGUN", "", "MethodNotAllowed"), ("POST", "?uploadId=BEGUN", "", "MalformedXML"),
            ("POST", "?uploadId=BEGUN", "<CompleteMultipartUpload/>", "MalformedXML"),
            ("POST", "?uploadId=BEGUN", "<X><Part/></X>", "MalformedXML"),
            ("POST", "?uploadId=BEGUN", completion([(0, "x")]), "MalformedXML"),
            ("POST", "?uploadId=BEGUN", completion([(2, "x"), (1, "x")]), "InvalidPartOrder"),
            ("POST", "?uploadId=BEGUN", completion([(1, "x"), (1, "x")]), "InvalidPartOrder"),
            ("POST", "?uploadId=BEGUN", completion([(1, "x")]), "InvalidPart"),
        ]
    )
    func refuses(method: String, query: String, body: String, code: String) async throws {
        let begun = try await begin()
        let target = Self.target + query.replacing("BEGUN", with: begun)
        let answer = try await fixture.send(try #require(.init(method)), target, [:], body)
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code)
        #expect(try fixture.bytes("docs/a.txt") == nil)
    }

    @Test func `minds sums and preconditions`() async throws {
        let id = try await begin()
        let bad = try await put(1, id, "hello", ["Content-MD5": "XrY7u+Ae7tCTyyK7j1rNww=="])
        #expect(try XMLReader.read(bad.bytes)["Code"]?.text == "BadDigest")
        let tag = try #require(try await put(1, id, "hello")["ETag"])
        let body = Self.completion([(1, tag)])
        #expect(try await complete(id, body, ["x-goog-if-generation-match": "1"]).status == 412)
        #expect(try await complete(id, body, ["x-goog-if-generation-match": "0"]).status == 200)
    }
}
