// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StorageServer

struct MultipartRelatedParserTests {
    typealias Failure = MultipartRelatedParser.Failure

    /// The outcome of parsing a body.
    struct Outcome: Equatable {
        var metadata: String
        var object: String
        var contentType: String?
        var isComplete = true
    }

    static func parse(_ body: String, pieceByteCount: Int = .max, boundary: String = "b") throws -> Outcome {
        var parser = try MultipartRelatedParser(contentType: "multipart/related; boundary=\(boundary)")
        var object: [UInt8] = []
        var rest = Array(body.utf8)[...]
        while !rest.isEmpty {
            try parser.consume(rest.prefix(pieceByteCount)) { object += $0 }
            rest = rest.dropFirst(pieceByteCount)
        }
        return Outcome(
            metadata: String(decoding: parser.metadata, as: UTF8.self),
            object: String(decoding: object, as: UTF8.self),
            contentType: parser.mediaContentType,
            isComplete: parser.isComplete
        )
    }

    static let bodies: [(String, Outcome)] = [
        (
            "--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b\r\nContent-Type: a/b\r\n\r\nhello\r\n--b--\r\n",
            Outcome(metadata: "{}", object: "hello", contentType: "a/b")
        ),
        ("--b\r\n\r\n{}\r\n--b\r\n\r\nhello\r\n--b--", Outcome(metadata: "{}", object: "hello")),
        ("pre\r\namble\r\n--b\r\n\r\n\r\n--b\r\n\r\n\r\n--b--epilogue\r\n--b\r\n", Outcome(metadata: "", object: "")),
        // An empty part may end with the empty line that ends its header.
        ("--b\r\nA: c\r\n\r\n--b\r\nA: c\r\n\r\n--b--", Outcome(metadata: "", object: "")),
        (
            "--b\r\nX: y\r\n\r\n{}\r\n--b\r\nZ: 1\r\nCONTENT-TYPE:\ta/b \r\nX-Y: 2\r\n\r\nh\r\n--b--",
            Outcome(metadata: "{}", object: "h", contentType: "a/b")
        ),
        // Almost a boundary.
        (
            "--b\r\n\r\n{}\r\n--b\r\n\r\n\r\n-\r\n--\r\r\n--\r\n--B\n--b--b\r\n--b--",
            Outcome(metadata: "{}", object: "\r\n-\r\n--\r\r\n--\r\n--B\n--b--b")
        ),
        // Lines that end with LF alone.
        (
            "--b\nContent-Type: j\nMIME-Version: 1.0\n\n{}\n--b\nContent-Type: a/b\n\nh\r\n\r\n--c\n\n--b--\n",
            Outcome(metadata: "{}", object: "h\r\n\r\n--c\n", contentType: "a/b")
        ),
        ("--b\n\n--b\n\n--b--", Outcome(metadata: "", object: "")),
        // Spaces behind a boundary.
        ("--b \t\r\n\r\n{}\r\n--b  \r\n\r\nh\r\n--b--  \r\n", Outcome(metadata: "{}", object: "h")),
        // Cut short.
        (
            "--b\r\n\r\n{}\r\n--b\r\n\r\nhello world, and more",
            Outcome(metadata: "{}", object: "hello world, and ", isComplete: false)
        ),
        ("--b\r\n\r\n{}\r\n--b\r\n\r\nh\r\n--b", Outcome(metadata: "{}", object: "h", isComplete: false)),
        ("", Outcome(metadata: "", object: "", isComplete: false)),
    ]

    @Test(arguments: bodies.map(\.0))
    func `takes a body apart in pieces of every size`(body: String) throws {
        let expected = try #require(Self.bodies.first { $0.0 == body }?.1)
        for pieceByteCount in 1...max(1, body.utf8.count) {
            let outcome = try Self.parse(body, pieceByteCount: pieceByteCount)
            if expected.isComplete {
                #expect(outcome == expected, "pieces of \(pieceByteCount)")
            } else {
                #expect(!outcome.isComplete, "pieces of \(pieceByteCount)")
            }
        }
    }

    @Test(
        "refuses",
        arguments: [
            ("--b--", Failure.partCount(0)),
            ("--b\r\n\r\n{}\r\n--b--", .partCount(1)),
            ("--b\r\n\r\n{}\r\n--b\r\n\r\nh\r\n--b\r\n\r\nthird\r\n--b--", .partCount(3)),
            ("--b" + String(repeating: "x", count: 20_000), .partHeaderTooLarge),
            ("--b\r\nA: " + String(repeating: "x", count: 20_000), .partHeaderTooLarge),
            ("--b\r\n\r\n" + String(repeating: " ", count: 1 << 21) + "\r\n--b\r\n\r\nh\r\n--b--", .metadataTooLarge),
        ] as [(String, Failure)]
    )
    func refuses(body: String, failure: Failure) {
        #expect(throws: failure) { try Self.parse(body, pieceByteCount: 65_536) }
    }

    @Test(arguments: [
        "--b\(String(repeating: " ", count: 20_000))\r\n", "--b\r\nA: \(String(repeating: "x", count: 20_000))",
    ])
    func `refuses a long header that arrives at once as it does in pieces`(start: String) {
        for pieceByteCount in [1_000, .max] {
            #expect(throws: Failure.partHeaderTooLarge) {
                try Self.parse("\(start)\r\n\r\n{}\r\n--b\r\n\r\nh\r\n--b--", pieceByteCount: pieceByteCount)
            }
        }
    }

    @Test(
        "reads the boundary of a content type",
        arguments: [
            ("multipart/related; boundary=00418", "00418"),
            ("multipart/related; boundary=\"==82==\"", "==82=="),
            ("multipart/related; boundary='===1==='", "===1==="),
            ("multipart/related;type=x; Boundary = abc ; charset=utf-8", "abc"),
            ("multipart/related; boundary=\"", "\""),
            ("multipart/related; boundary=\"\"", nil),
            ("multipart/related; boundary=", nil),
            ("multipart/related", nil),
            ("boundary=abc", nil),
            ("", nil),
        ] as [(String, String?)]
    )
    func reads(contentType: String, boundary: String?) {
        #expect(MultipartHeader.boundary(of: contentType) == boundary)
    }
}
