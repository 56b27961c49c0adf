// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import StorageServer

/// Buckets and their listings by the XML API.
struct XMLBucketTests {
    let fixture: StorageFixture

    init() throws {
        fixture = try StorageFixture()
    }

    func read(_ target: String) async throws -> XMLElement {
        let answer = try await fixture.send(.get, target)
        #expect(answer.status == 200)
        return try XMLReader.read(answer.bytes)
    }

    @Test func `creates, describes, lists and deletes buckets`() async throws {
        let steps: [(String, String, Int, String?)] = [
            ("PUT", "/bkt", 200, nil), ("PUT", "/bkt", 409, "BucketAlreadyOwnedByYou"), ("HEAD", "/bkt", 200, nil),
            ("HEAD", "/none", 404, "NoSuchBucket"), ("GET", "/none", 404, "NoSuchBucket"),
            ("GET", "/bkt?acl", 200, nil), ("GET", "/none?acl", 404, "NoSuchBucket"), ("PUT", "/bkt?acl", 200, nil),
            ("PUT", "/bkt?versioning", 400, "MalformedXML"), ("PUT", "/bkt?location", 405, "MethodNotAllowed"),
            ("PUT", "/bkt/a", 200, nil),
            ("DELETE", "/bkt", 409, "BucketNotEmpty"), ("DELETE", "/bkt/a", 204, nil), ("DELETE", "/bkt", 204, nil),
            ("DELETE", "/bkt", 404, "NoSuchBucket"), ("PUT", "/B", 400, "InvalidBucketName"),
        ]
        for (method, target, status, code) in steps {
            let answer = try await fixture.send(try #require(.init(method)), target)
            #expect(answer.status == status, "\(method) \(target)")
            if let code { #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code, "\(method) \(target)") }
        }
    }

    @Test func `reads the body that creates a bucket`() async throws {
        let body = "<CreateBucketConfiguration><LocationConstraint>EU</LocationConstraint></CreateBucketConfiguration>"
        #expect(try await fixture.send(.put, "/bkt", [:], body).status == 200)
        #expect(try await fixture.send(.put, "/bkt2", [:], "<x>").status == 400)
        #expect(try await fixture.send(.head, "/bkt2").status == 404)
    }

    @Test func `says what buckets there are and what they are like`() async throws {
        for bucket in ["b-2", "b-1"] { try await fixture.send(.put, "/\(bucket)") }
        let service = try await read("/")
        #expect(service.name == "ListAllMyBucketsResult")
        #expect(service["Buckets"]?.elements.map { $0["Name"]?.text } == ["b-1", "b-2"])
        #expect(service["Buckets"]?.elements.first?["CreationDate"]?.text == "2026-09-30T17:26:04.648Z")
        #expect(try await read("/b-1?location").text == "US")
        #expect(try await read("/b-1?versioning") == XMLElement(name: "VersioningConfiguration"))
        let entry = try await read("/b-1?acl")["Entries"]?["Entry"]
        #expect(entry?["Permission"]?.text == "FULL_CONTROL")
    }

    @Test func `describes an object as production does`() async throws {
        try await fixture.send(.put, "/bkt/a%26b", [:], "hello world")
        let expected = [
            "<?xml version='1.0' encoding='UTF-8'?>",
            "<ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'><Name>bkt</Name><Prefix></Prefix>",
            "<Marker></Marker><IsTruncated>false</IsTruncated>",
            "<Contents><Key>a&amp;b</Key><Generation>\(StorageFixture.time)</Generation>",
            "<MetaGeneration>1</MetaGeneration><LastModified>2026-09-30T17:26:04.648Z</LastModified>",
            "<ETag>&quot;5eb63bbbe01eeed093cb22bb8f5acdc3&quot;</ETag><Size>11</Size>",
            "</Contents></ListBucketResult>",
        ].joined()
        #expect(try await fixture.send(.get, "/bkt").text == expected)
    }

    static let names = ["a", "b/1", "b/2", "c d", "d/1", "é"]

    func putNames() async throws {
        for name in Self.names {
            try await fixture.send(.put, "/bkt/\(name.replacing(" ", with: "%20").replacing("é", with: "%C3%A9"))")
        }
    }

    /// The names and prefixes of a page in its order, and what it says of itself under a name.
    func page(_ query: String, _ more: String = "IsTruncated") async throws -> String {
        let list = try await read("/bkt?\(query)")
        let names = list.all("Contents").compactMap { $0["Key"]?.text }
        let prefixes = list.all("CommonPrefixes").compactMap { $0["Prefix"]?.text }
        return (names + prefixes).joined(separator: " ") + " | " + (list[more]?.text ?? "-")
    }

    @Test(
        "lists",
        arguments: [
            ("", "IsTruncated", "a b/1 b/2 c d d/1 é | false"), ("prefix=b/", "Prefix", "b/1 b/2 | b/"),
            ("delimiter=/", "Delimiter", "a c d é b/ d/ | /"), ("max-keys=2", "NextMarker", "a b/1 | b/1"),
            ("max-keys=2&delimiter=/", "NextMarker", "a b/ | b/"),
            ("max-keys=2&delimiter=/&marker=b/", "NextMarker", "c d d/ | d/"),
            ("max-keys=2&delimiter=/&marker=d/", "NextMarker", "é | -"),
            ("marker=b/1", "Marker", "b/2 c d d/1 é | b/1"),
            ("marker=b/1&delimiter=/", "Marker", "c d é b/ d/ | b/1"), ("marker=c", "MaxKeys", "c d d/1 é | -"),
            ("max-keys=0", "IsTruncated", " | false"),
            ("max-keys=5000&list-type=2", "MaxKeys", "a b/1 b/2 c d d/1 é | 1000"),
            ("encoding-type=url&marker=b/2", "EncodingType", "c%20d d/1 %C3%A9 | url"),
            ("list-type=2", "KeyCount", "a b/1 b/2 c d d/1 é | 6"),
            ("list-type=2&delimiter=/", "KeyCount", "a c d é b/ d/ | 5"),
            ("list-type=2&start-after=b/2", "StartAfter", "c d d/1 é | b/2"),
            ("list-type=2&marker=b/2", "StartAfter", "a b/1 b/2 c d d/1 é | -"),
            ("list-type=2&max-keys=1&start-after=d/1", "NextContinuationToken", "é | -"),
            ("marker=%F0%9F%94%A5", "IsTruncated", " | false"),
        ]
    )
    func lists(query: String, name: String, expected: String) async throws {
        try await putNames()
        #expect(try await page(query, name) == expected)
    }

    @Test(
        "goes on where a page ended, each entry once",
        arguments: ["", "&delimiter=/", "&prefix=b&delimiter=/", "&encoding-type=url"],
        ["1", "2"]
    )
    func pages(query: String, version: String) async throws {
        try await putNames()
        let whole = try await read("/bkt?list-type=\(version)\(query)")
        var (found, place): ([XMLElement], String) = ([], "")
        for _ in 0..<10 {
            let list = try await read("/bkt?list-type=\(version)&max-keys=1\(query)\(place)")
            found += list.all("Contents") + list.all("CommonPrefixes")
            let next = version == "1" ? "NextMarker" : "NextContinuationToken"
            guard let token = list[next]?.text else { break }
            #expect(list["IsTruncated"]?.text == "true")
            let coded = query.contains("url") && version == "1" ? token : token.addingQueryEscapes
            place = (version == "1" ? "&marker=" : "&continuation-token=") + coded
        }
        let key = { (entry: XMLElement) in entry["Key"]?.text ?? entry["Prefix"]?.text ?? "" }
        #expect(found.map(key).sorted() == (whole.all("Contents") + whole.all("CommonPrefixes")).map(key).sorted())
    }

    @Test(arguments: [
        "list-type=3", "encoding-type=x", "max-keys=-1", "max-keys=x", "list-type=2&continuation-token=!",
    ])
    func `refuses parameters that mean nothing`(query: String) async throws {
        try await fixture.send(.put, "/bkt")
        let answer = try await fixture.send(.get, "/bkt?\(query)")
        #expect(answer.status == 400)
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == "InvalidArgument")
    }

    @Test func `tells whose an object is when asked`() async throws {
        try await fixture.send(.put, "/bkt/a")
        #expect(try await read("/bkt?list-type=2")["Contents"]?["Owner"] == nil)
        #expect(try await read("/bkt?list-type=2&fetch-owner=true")["Contents"]?["Owner"]?["ID"]?.text == "firemeter")
    }

    @Test func `deletes several objects at once`() async throws {
        try await putNames()
        let objects = ["a", "none", "b/1"].map { "<Object><Key>\($0)</Key></Object>" }.joined()
        let wrong = "<Object><Key>b/2</Key><VersionId>1</VersionId></Object><Object><Key>..</Key></Object>"
        let answer = try await fixture.send(.post, "/bkt?delete", [:], "<Delete>\(objects)\(wrong)</Delete>")
        #expect(answer.status == 200)
        let result = try XMLReader.read(answer.bytes)
        #expect(result.all("Deleted").map { $0["Key"]?.text } == ["a", "none", "b/1", "b/2"])
        #expect(result.all("Error").map { $0["Code"]?.text } == ["InvalidObjectName"])
        #expect(try await page("") == "b/2 c d d/1 é | false")
        let quiet = "<Delete><Quiet>true</Quiet><Object><Key>b/2</Key></Object></Delete>"
        #expect(try await XMLReader.read(fixture.send(.post, "/bkt?delete", [:], quiet).bytes).elements.isEmpty)
        #expect(try await page("") == "c d d/1 é | false")
    }

    @Test(
        "refuses a deletion that is not one",
        arguments: [
            ("", "MalformedXML"), ("<Delete/>", "MalformedXML"),
            ("<X><Object><Key>a</Key></Object></X>", "MalformedXML"),
            ("<Delete><Object><Key></Key></Object></Delete>", "MalformedXML"),
            ("<Delete><Object><Key>a</Key><VersionId>x</VersionId></Object></Delete>", "MalformedXML"),
            ("<Delete>\(String(repeating: "<Object><Key>a</Key></Object>", count: 1_001))</Delete>", "MalformedXML"),
        ]
    )
    func refuses(body: String, code: String) async throws {
        try await fixture.send(.put, "/bkt/a")
        let answer = try await fixture.send(.post, "/bkt?delete", [:], body)
        #expect(answer.status == 400)
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == code)
        #expect(try fixture.bytes("a") != nil)
    }

    @Test func `holds a deletion against its sum`() async throws {
        try await fixture.send(.put, "/bkt/a")
        let body = "<Delete><Object><Key>a</Key></Object></Delete>"
        let headers = ["Content-MD5": "XrY7u+Ae7tCTyyK7j1rNww=="]
        let answer = try await fixture.send(.post, "/bkt?delete", headers, body)
        #expect(try XMLReader.read(answer.bytes)["Code"]?.text == "BadDigest")
        #expect(try fixture.bytes("a") != nil)
    }
}

extension String {
    /// The text as a query holds it.
    fileprivate var addingQueryEscapes: String {
        replacing("%", with: "%25").replacing("+", with: "%2B").replacing("&", with: "%26").replacing("=", with: "%3D")
            .replacing(" ", with: "%20")
    }
}
