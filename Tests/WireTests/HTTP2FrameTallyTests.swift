// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

struct HTTP2FrameTallyTests {
    typealias Piece = HTTP2FrameTally.Piece

    /// The sum of the pieces of one frame.
    struct Frame: Equatable, CustomTestStringConvertible {
        var kind: UInt8
        var streamID: Int32
        var framing: Int64
        var body: Int64 = 0
        var endsStream = false
        var testDescription: String { "\(kind) on \(streamID)" }
    }

    static func frame(_ kind: UInt8, flags: UInt8 = 0, on streamID: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, flags, 0, 0, 0, streamID] + payload
    }

    static let conversation: [(bytes: [UInt8], frame: Frame)] = [
        (Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), Frame(kind: 255, streamID: 0, framing: 24)),
        (frame(4, on: 0, [0, 3, 0, 0, 0, 100]), Frame(kind: 4, streamID: 0, framing: 15)),
        (frame(4, flags: 1, on: 0), Frame(kind: 4, streamID: 0, framing: 9)),
        (frame(1, flags: 4, on: 1, [1, 2, 3]), Frame(kind: 1, streamID: 1, framing: 12)),
        (frame(0, on: 1, [9, 9, 9, 9]), Frame(kind: 0, streamID: 1, framing: 9, body: 4)),
        // Padded: a byte of length, then the body, then the padding.
        (frame(0, flags: 8, on: 1, [2, 7, 7, 7, 0, 0]), Frame(kind: 0, streamID: 1, framing: 12, body: 3)),
        (frame(0, flags: 8, on: 1, [0]), Frame(kind: 0, streamID: 1, framing: 10)),
        // More padding than payload is an error of the client's; every byte counts all the same.
        (frame(0, flags: 8, on: 1, [200, 7, 7]), Frame(kind: 0, streamID: 1, framing: 12)),
        (frame(0, flags: 9, on: 1, [1, 5, 0]), Frame(kind: 0, streamID: 1, framing: 11, body: 1, endsStream: true)),
        (frame(0, flags: 1, on: 1), Frame(kind: 0, streamID: 1, framing: 9, endsStream: true)),
        (frame(1, flags: 5, on: 3, [1]), Frame(kind: 1, streamID: 3, framing: 10, endsStream: true)),
        // The end of a stream that is announced in HEADERS comes with the last CONTINUATION.
        (frame(1, flags: 1, on: 5, [1]), Frame(kind: 1, streamID: 5, framing: 10)),
        (frame(9, on: 5, [1]), Frame(kind: 9, streamID: 5, framing: 10)),
        (frame(9, flags: 4, on: 5, [1]), Frame(kind: 9, streamID: 5, framing: 10, endsStream: true)),
        (frame(3, on: 1, [0, 0, 0, 8]), Frame(kind: 3, streamID: 1, framing: 13)),
        (frame(8, on: 1, [0, 0, 1, 0]), Frame(kind: 8, streamID: 1, framing: 13)),
        (frame(6, on: 0, [1, 2, 3, 4, 5, 6, 7, 8]), Frame(kind: 6, streamID: 0, framing: 17)),
        (frame(77, flags: 255, on: 9, [1]), Frame(kind: 77, streamID: 9, framing: 10)),
    ]

    private static func frames(of pieces: [Piece]) -> [Frame] {
        var frames: [Frame] = []
        for piece in pieces {
            if piece.beginsFrame || frames.isEmpty || (piece.kind == 255 && frames.last?.kind != 255) {
                frames.append(Frame(kind: piece.kind, streamID: piece.streamID, framing: 0))
            }
            frames[frames.count - 1].framing += piece.framing
            frames[frames.count - 1].body += piece.body
            if piece.endsStream { frames[frames.count - 1].endsStream = true }
        }
        return frames
    }

    @Test(arguments: [1, 2, 7, 10, 1_000])
    func `tells every frame's bytes, however they come`(chunkByteCount: Int) {
        let bytes = Self.conversation.flatMap(\.bytes)
        var tally = HTTP2FrameTally(expectsPreface: true)
        var pieces: [Piece] = []
        for start in stride(from: 0, to: bytes.count, by: chunkByteCount) {
            let chunk = bytes[start..<min(start + chunkByteCount, bytes.count)]
            chunk.withUnsafeBytes { tally.consume($0) { pieces.append($0) } }
        }
        #expect(Self.frames(of: pieces) == Self.conversation.map(\.frame))
        #expect(pieces.count { $0.endsFrame } == Self.conversation.count - 1)
        #expect(pieces.map { $0.framing + $0.body }.reduce(0, +) == Int64(bytes.count))
        #expect(tally.heldByteCount == 0)
    }

    @Test func `holds the start of a frame's head until the head is whole`() {
        var tally = HTTP2FrameTally(expectsPreface: false)
        let start: [UInt8] = [0, 0, 1, 0]
        start.withUnsafeBytes { tally.consume($0) { _ in Issue.record("nothing can be told yet") } }
        #expect(tally.heldByteCount == 4)
    }
}
