// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import StorageServer

struct BatchParserTests {
    static let contentType = "multipart/mixed; boundary=b"

    static func parse(_ text: String, contentType: String = contentType) throws -> [BatchCall] {
        try BatchParser.parse(Array(text.utf8), contentType: contentType)
    }

    /// A part that holds a request.
    static func part(_ request: String, _ header: String = "") -> String {
        "--b\r\nContent-Type: application/http\r\n\(header)\r\n\(request)\r\n"
    }

    /// A batch as Python's client sends it: lines that end with LF, absolute URLs, a boundary in quotes.
    static let python = """
        --===============7330845974216740156==
        Content-Type: application/http
        MIME-Version: 1.0

        DELETE http://127.0.0.1:9199/storage/v1/b/bkt/o/docs%2Fb.txt?generation=7 HTTP/1.1

        --===============7330845974216740156==
        Content-Type: application/http
        MIME-Version: 1.0

        PATCH http://127.0.0.1:9199/storage/v1/b/bkt/o/a HTTP/1.1
        Content-Length: 20
        Content-Type: application/json

        {"cacheControl":"x"}
        --===============7330845974216740156==--

        """

    @Test(arguments: [false, true])
    func `reads what Python's client sends`(endsLinesWithCRLF: Bool) throws {
        let text = endsLinesWithCRLF ? Self.python.replacing("\n", with: "\r\n") : Self.python
        let type = "multipart/mixed; boundary=\"===============7330845974216740156==\""
        let calls = try Self.parse(text, contentType: type)
        #expect(
            calls == [
                BatchCall(method: .delete, target: "/storage/v1/b/bkt/o/docs%2Fb.txt?generation=7"),
                BatchCall(
                    method: .patch,
                    target: "/storage/v1/b/bkt/o/a",
                    headers: [.contentLength: "20", .contentType: "application/json"],
                    body: Array(#"{"cacheControl":"x"}"#.utf8)
                ),
            ]
        )
    }

    static let single: [(String, BatchCall)] = [
        (part("GET /b/x"), BatchCall(method: .get, target: "/b/x")),
        (part("GET /b/x HTTP/1.1\r\n"), BatchCall(method: .get, target: "/b/x")),
        (part("\r\n\r\nGET   /b/x   HTTP/1.1  \r\n\r\n\r\n"), BatchCall(method: .get, target: "/b/x")),
        (part("GET HTTPS://host/b/x?y=/ HTTP/1.1"), BatchCall(method: .get, target: "/b/x?y=/")),
        (
            part("GET /b/x HTTP/1.1\r\nIf-Match:  \"a\" \r\naccept:b"),
            BatchCall(method: .get, target: "/b/x", headers: [.ifMatch: "\"a\"", .accept: "b"])
        ),
        (part("POST /b\r\n\r\n{}"), BatchCall(method: .post, target: "/b", body: Array("{}".utf8))),
        (
            part("POST /b\r\n\r\n{\r\n}\r\n\r\n"),
            BatchCall(method: .post, target: "/b", body: Array("{\r\n}\r\n\r\n".utf8))
        ),
        (
            part("POST /b\r\nContent-Length: 2\r\n\r\n{}\r\n--c\r\n--bb\r\n --b\r\n"),
            BatchCall(method: .post, target: "/b", headers: [.contentLength: "2"], body: Array("{}".utf8))
        ),
        (
            part("POST /b\r\nContent-Length: 99\r\n\r\n{}"),
            BatchCall(method: .post, target: "/b", headers: [.contentLength: "99"], body: Array("{}".utf8))
        ),
        (
            part("POST /b\r\nContent-Length: -1\r\n\r\n{}"),
            BatchCall(method: .post, target: "/b", headers: [.contentLength: "-1"])
        ),
        (part("GET /b", "Content-ID: 7\r\n"), BatchCall(method: .get, target: "/b", contentID: "7")),
        ("preamble\r\n" + part("GET /b"), BatchCall(method: .get, target: "/b")),
        (
            "--b  \r\nCONTENT-TYPE:application/http; msgtype=request\r\n\r\nGET /b\r\n",
            BatchCall(method: .get, target: "/b")
        ),
    ]

    @Test("reads one call", arguments: single)
    func readsOne(text: String, call: BatchCall) throws {
        #expect(try Self.parse(text + "--b--") == [call])
        #expect(try Self.parse(text + "--b-- \r\nepilogue\r\n--b\r\n") == [call])
    }

    static let refused: [(String, BatchParser.Failure)] = [
        ("", BatchParser.Failure.unclosed),
        ("--b--", .noCalls),
        ("\r\n--b--\r\n", .noCalls),
        (part("GET /b"), .unclosed),
        (part("GET /b") + "--b-", .unclosed),
        (part("GET /b") + "--c--", .unclosed),
        ("--b\r\n--b--", .malformed(part: 1, .notHTTP)),
        ("--b\r\n\r\nGET /b\r\n--b--", .malformed(part: 1, .notHTTP)),
        ("--b\r\nContent-Type: text/plain\r\n\r\nGET /b\r\n--b--", .malformed(part: 1, .notHTTP)),
        (part("GET /b") + "--b\r\nno header\r\n--b--", .malformed(part: 2, .badHeader)),
        (part("") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("GET") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("GET b/x") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("GET ftp://host/b") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("GET http://host") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("G@T /b") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("GET /b HTTP/2 x") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("GET /b SMTP/1.1") + "--b--", .malformed(part: 1, .badRequestLine)),
        (part("GET /b\r\nno header") + "--b--", .malformed(part: 1, .badHeader)),
        (part("GET /b\r\nA: b\r\n c") + "--b--", .malformed(part: 1, .badHeader)),
        (part("GET /b\r\nA: \u{0}") + "--b--", .malformed(part: 1, .badHeader)),
        (part("GET /b\r\n: a") + "--b--", .malformed(part: 1, .badHeader)),
        (
            part("GET /b\r\nA: " + String(repeating: "a", count: BatchPartParser.headerByteCountMax)) + "--b--",
            .malformed(part: 1, .headerTooLarge)
        ),
        (
            part("GET /" + String(repeating: "a", count: BatchPartParser.headerByteCountMax)) + "--b--",
            .malformed(part: 1, .badRequestLine)
        ),
    ]

    @Test("refuses what is no batch", arguments: refused)
    func refuses(text: String, failure: BatchParser.Failure) {
        #expect(throws: failure) { try Self.parse(text) }
        #expect(StorageFailure(failure).status == 400)
    }

    @Test(
        "needs a boundary",
        arguments: ["", "multipart/mixed", "multipart/related; boundary=b", "multipart/mixed; boundary="]
    )
    func needsBoundary(contentType: String) {
        #expect(throws: BatchParser.Failure.noBoundary) {
            try Self.parse(Self.part("GET /b") + "--b--", contentType: contentType)
        }
        #expect(throws: BatchParser.Failure.noBoundary) { try BatchParser.parse([], contentType: nil) }
    }

    @Test func `takes as many calls as clients send`() throws {
        let full = String(repeating: Self.part("GET /b"), count: BatchParser.callCountMax)
        #expect(try Self.parse(full + "--b--").count == BatchParser.callCountMax)
        #expect(throws: BatchParser.Failure.tooManyCalls) { try Self.parse(full + Self.part("GET /b") + "--b--") }
    }

    @Test(
        "answers with the id of the call",
        arguments: [(nil, nil), ("7", "response-7"), ("<a:1@b>", "<response-a:1@b>"), ("", "response-")]
    )
    func answers(contentID: String?, expected: String?) {
        #expect(BatchCall(method: .get, target: "/b", contentID: contentID).responseContentID == expected)
    }

    @Test(
        "allows calls that move no bytes of objects",
        arguments: [
            ("/storage/v1/b/x/o/y", true), ("/storage/v1/b", true), ("/b", true), ("/b?project=p", true),
            ("/b/x/o", true),
            ("/projects/p/hmacKeys", true), ("/storage/v1/b/x/o/y?alt=json", true),
            ("/storage/v1/b/x/o/y?alt=media", false), ("/upload/storage/v1/b/x/o?uploadType=media", false),
            ("/b/x/o?uploadType=multipart", false), ("/download/storage/v1/b/x/o/y", false), ("/v0/b/x/o", false),
            ("/batch/storage/v1", false), ("/retry_test", false), ("/bucket/object", false), ("/", false),
            ("/b/x/o?a=%zz", false),
        ]
    )
    func allows(target: String, isAllowed: Bool) {
        #expect(BatchCall(method: .get, target: target).isAllowed == isAllowed)
    }
}
