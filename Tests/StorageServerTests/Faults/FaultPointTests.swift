// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import StorageServer

/// Where in a stream of bytes a fault happens.
@Suite(.timeLimit(.minutes(5))) struct FaultPointTests {
    private struct FaultHit: Error {}

    /// A stream in pieces, a fault in it, and the bytes that pass.
    struct Case: Sendable {
        var start: Int64 = 0
        let pieces: [String]
        let position: Int64
        var includesEnd = true
        let passed: String
        var isHit = true
    }

    static let cases: [Case] = [
        Case(pieces: ["hello", "world"], position: 7, passed: "hellowo"),
        Case(pieces: ["hello", "world"], position: 5, passed: "hello"),
        Case(pieces: ["hello", "world"], position: 0, passed: ""),
        Case(pieces: ["hello"], position: 5, passed: "hello"),
        Case(pieces: ["hello"], position: 6, passed: "hello", isHit: false),
        Case(pieces: ["hello"], position: 5, includesEnd: false, passed: "hello", isHit: false),
        Case(pieces: ["hello", ""], position: 5, includesEnd: false, passed: "hello", isHit: false),
        Case(pieces: ["hello", "w"], position: 5, includesEnd: false, passed: "hello"),
        Case(pieces: [""], position: 0, includesEnd: false, passed: "", isHit: false),
        Case(pieces: [""], position: 0, passed: ""),
        Case(start: 100, pieces: ["hello"], position: 103, passed: "hel"),
        Case(start: 100, pieces: ["hello"], position: 100, passed: ""),
        Case(start: 100, pieces: ["hello"], position: 7, passed: ""),
        Case(start: 100, pieces: ["hello"], position: 106, passed: "hello", isHit: false),
    ]

    private static func buffers(_ pieces: [String]) -> AsyncStream<ByteBuffer> {
        AsyncStream { continuation in
            for piece in pieces { continuation.yield(ByteBuffer(string: piece)) }
            continuation.finish()
        }
    }

    @Test(arguments: cases.indices, [false, true])
    func `strikes a request's body`(index: Int, endsBody: Bool) async throws {
        let example = Self.cases[index]
        let faultPoint = FaultPoint(position: example.position, includesEnd: example.includesEnd) {
            if endsBody { throw FaultHit() }
        }
        let base = RequestBody(asyncSequence: Self.buffers(example.pieces))
        var passed = ""
        var isHit = false
        do {
            for try await piece in FaultingRequestBody(base: base, start: example.start, faultPoint: faultPoint) {
                passed += String(buffer: piece)
            }
        } catch is FaultHit {
            isHit = true
        }
        #expect(isHit == (example.isHit && endsBody))
        #expect(passed == (endsBody ? example.passed : example.pieces.joined()))
    }

    @Test(arguments: cases.indices.filter { cases[$0].start == 0 }, [false, true])
    func `strikes an answer's body`(index: Int, endsBody: Bool) async throws {
        let example = Self.cases[index]
        var response = Response(status: .ok, body: ResponseBody(asyncSequence: Self.buffers(example.pieces)))
        response.faultPoint(
            FaultPoint(position: example.position, includesEnd: example.includesEnd) {
                if endsBody { throw FaultHit() }
            }
        )
        let writer = TextWriter()
        var isHit = false
        do {
            try await response.body.write(writer)
        } catch is FaultHit {
            isHit = true
        }
        #expect(isHit == (example.isHit && endsBody))
        #expect(writer.text == (endsBody ? example.passed : example.pieces.joined()))
    }

    @Test func `strikes once`() async throws {
        let count = NIOLockedValueBox(0)
        let faultPoint = FaultPoint(position: 2, includesEnd: true) { count.withLockedValue { $0 += 1 } }
        let base = RequestBody(asyncSequence: Self.buffers(["a", "b", "c", "d"]))
        for try await _ in FaultingRequestBody(base: base, start: 0, faultPoint: faultPoint) {}
        #expect(count.withLockedValue { $0 } == 1)
    }

    @Test func `changes the first byte alone`() async throws {
        for (whole, corrupted) in [("hello", "Aello"), ("Abc", "Bbc"), ("", "")] {
            var response = Response(status: .ok, body: ResponseBody(asyncSequence: Self.buffers(["", whole, "hello"])))
            response.corrupt()
            let writer = TextWriter()
            try await response.body.write(writer)
            #expect(writer.text == (whole.isEmpty ? "Aello" : corrupted + "hello"))
        }
    }
}

private final class TextWriter: ResponseBodyWriter {
    private let collected = NIOLockedValueBox("")

    var text: String { collected.withLockedValue { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLockedValue { $0 += String(buffer: buffer) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
