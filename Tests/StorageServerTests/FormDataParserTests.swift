// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StorageServer

struct FormDataParserTests {
    typealias Failure = FormDataParser.Failure

    /// The outcome of parsing a body.
    struct Outcome: Equatable {
        var fields: [String: String] = [:]
        var fileName: String?
        var contentType: String?
        var file = ""
        var failure: Failure?
    }

    static func parse(_ body: [UInt8], pieceByteCount: Int = .max) -> Outcome {
        var outcome = Outcome()
        do {
            var parser = try FormDataParser(contentType: "multipart/form-data; boundary=b")
            defer {
                for name in parser.fields.names { outcome.fields[name] = parser.fields[name] }
                outcome.fileName = parser.file?.fileName
                outcome.contentType = parser.file?.contentType
            }
            var (rest, file) = (body[...], [UInt8]())
            while !rest.isEmpty {
                try parser.consume(rest.prefix(pieceByteCount)) { file += $0 }
                rest = rest.dropFirst(pieceByteCount)
            }
            try parser.finish()
            outcome.file = String(decoding: file, as: UTF8.self)
        } catch {
            outcome.failure = error as? Failure
        }
        return outcome
    }

    static let key = "Content-Disposition: form-data; name=\"key\"\r\n\r\n"
    static let file = "Content-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n"

    static let bodies: [(String, Outcome)] = [
        (
            "--b\r\n\(key)u/1\r\n--b\r\n\(file)Content-Type: image/png\r\n\r\nhello\r\n--b--\r\n",
            Outcome(fields: ["key": "u/1"], fileName: "a.png", contentType: "image/png", file: "hello")
        ),
        (
            "preamble\r\n--b \t\r\n\(key)\r\n--b\r\n\(file)\r\n\r\n--b--",
            Outcome(fields: ["key": ""], fileName: "a.png")
        ),
        // Almost a boundary.
        (
            "--b\r\n\(file)\r\n\r\n-\r\n--\r\r\n--\r\n--B\n--b--c\r\n--b--",
            Outcome(fileName: "a.png", file: "\r\n-\r\n--\r\r\n--\r\n--B\n--b--c")
        ),
        // Fields behind the file are ignored.
        (
            "--b\r\n\(file)\r\nx\r\n--b\r\n\(key)late\r\n--b\r\n\(file)\r\ny\r\n--b--",
            Outcome(fileName: "a.png", file: "x")
        ),
        // Parts without a line between header and boundary.
        ("--b\r\n\(key.dropLast())\r\n--b\r\n\(file)\r\n--b--", Outcome(fields: ["key": ""], fileName: "a.png")),
        // Headers of any order and case.
        (
            "--b\r\nX: y\r\ncontent-type:\ta/b \r\nCONTENT-DISPOSITION: Form-Data; FILENAME=C:\\x\\b.txt ; Name=FILE\r\n\r\nx"
                + "\r\n--b--",
            Outcome(fileName: "b.txt", contentType: "a/b", file: "x")
        ),
        (
            "--b\r\nContent-Disposition: form-data; filename=\"a\\\"; b\\c.txt\"; name=\"file\"\r\n\r\nx\r\n--b--",
            Outcome(fileName: "c.txt", file: "x")
        ),
        ("--b\r\nContent-Disposition: form-data; name=file\r\n\r\nx\r\n--b--", Outcome(file: "x")),
        ("--b--", Outcome(failure: .noFile)),
        ("--b\r\n\(key)x\r\n--b--", Outcome(fields: ["key": "x"], failure: .noFile)),
        ("", Outcome(failure: .noFile)), ("--b\r\n\(key)x", Outcome(failure: .noFile)),
        ("--b\r\n\(file)\r\nx", Outcome(fileName: "a.png", failure: .malformed)),
        ("--b\r\n\(file)\r\nx\r\n--", Outcome(fileName: "a.png", failure: .malformed)),
        ("--bx\r\n\(file)\r\nx\r\n--b--", Outcome(failure: .malformed)),
        ("--b\r\nX: y\r\n\r\nx\r\n--b--", Outcome(failure: .malformed)),
        ("--b\r\nContent-Disposition: attachment; name=\"file\"\r\n\r\nx\r\n--b--", Outcome(failure: .malformed)),
        ("--b\r\nContent-Disposition: form-data; name=\"file\r\n\r\nx\r\n--b--", Outcome(failure: .malformed)),
        ("--b\r\nnonsense\r\n\r\nx\r\n--b--", Outcome(failure: .malformed)),
        ("--b\n\(file)\nx\n--b--", Outcome(failure: .malformed)),
    ]

    @Test(arguments: bodies.indices)
    func `takes a form apart in pieces of every size`(index: Int) {
        let (body, expected) = Self.bodies[index]
        for pieceByteCount in 1...max(1, body.utf8.count) {
            #expect(Self.parse(Array(body.utf8), pieceByteCount: pieceByteCount) == expected, "\(pieceByteCount)")
        }
    }

    @Test func `keeps its limits`() {
        let long = String(repeating: "x", count: 70_000)
        let field = "--b\r\n\(Self.key)x\r\n"
        let cases: [(String, Failure)] = [
            ("--b\r\n\(Self.key)\(long)", .fieldsTooLarge), ("--b\r\nX: \(long)", .headerTooLarge),
            ("--b\r\nX: \(long.prefix(9_000))\r\n\(Self.file)\r\n", .headerTooLarge),
            ("--b\(String(repeating: " ", count: 9_000))", .headerTooLarge),
            ("--b\(String(repeating: " ", count: 9_000))\r\n\(Self.file)\r\n", .headerTooLarge),
            (String(repeating: field, count: FormDataParser.fieldCountMax + 1), .fieldsTooLarge),
            (String(repeating: "--b\r\n\(Self.key)\(long.prefix(10_000))\r\n", count: 7), .fieldsTooLarge),
        ]
        for (index, (body, failure)) in cases.enumerated() {
            for pieceByteCount in [1_000, .max] {
                let outcome = Self.parse(Array(body.utf8), pieceByteCount: pieceByteCount)
                #expect(outcome.failure == failure, "\(index)")
            }
        }
        let most = String(repeating: field, count: FormDataParser.fieldCountMax)
        let form = Self.parse(Array("\(most)--b\r\n\(Self.file)\r\n\(long)\r\n--b--".utf8))
        #expect(form.failure == nil)
        #expect(form.file == long)
    }

    @Test func `refuses a field that is no text`() {
        let bytes = Array("--b\r\n\(Self.key)".utf8) + [0xFF] + Array("\r\n--b\r\n".utf8)
        #expect(Self.parse(bytes).failure == .malformed)
    }

    @Test(arguments: [nil, "", "multipart/form-data", "multipart/related; boundary=b", "text/plain"] as [String?])
    func `needs a boundary`(contentType: String?) {
        #expect(throws: Failure.noBoundary) { try FormDataParser(contentType: contentType) }
    }
}
