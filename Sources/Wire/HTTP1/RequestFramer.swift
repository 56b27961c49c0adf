// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Finds where the messages of an HTTP/1.1 connection end, so that bytes can be credited to the request they belong to.
///
/// The decoder behind it stays the only judge of what a message says; the framer only cuts the input so that no piece
/// holds bytes of two requests. A wrong guess moves bytes between neighbours but never loses one.
struct RequestFramer {
    /// The decoder's verdict on the body of the message whose head ended with the last piece.
    enum BodyKind: Equatable {
        case none
        case length(Int64)
        case chunked
    }

    private enum State: Equatable {
        case head
        case body(remaining: Int64)
        case chunkSize(digits: Int64)
        case chunkExtension(size: Int64)
        case chunkData(remaining: Int64)
        case trailers
    }

    private static let lineEndByteCount: Int64 = 2

    private var state = State.head
    private var isAtLineStart = true
    /// Blank lines before a head do not end it; they stay with it.
    private var hasText = false
    /// Bytes of the first line of the last head, as far as it has come.
    private(set) var requestLineByteCount = 0
    private var hasRequestLine = false
    /// Bytes of the last piece that are a body's, without the lines around chunks.
    private(set) var bodyByteCount = 0

    /// Passes to the framer what follows the head that the decoder has just read.
    mutating func headEnded(body: BodyKind) {
        switch body {
        case .none, .length(0): state = .head
        case .length(let count): state = .body(remaining: count)
        case .chunked: state = .chunkSize(digits: 0)
        }
        isAtLineStart = true
        hasText = false
    }

    /// Returns how many of the given bytes, at least one, may go to the decoder in one piece.
    mutating func pieceLength(in bytes: ByteBufferView) -> Int {
        precondition(!bytes.isEmpty, "a piece needs at least one byte")
        bodyByteCount = 0
        switch state {
        case .head, .trailers:
            return lengthThroughEmptyLine(in: bytes)
        case .body(let remaining):
            return consume(remaining, of: bytes, then: .head) { .body(remaining: $0) }
        case .chunkData(let remaining):
            return consume(remaining, of: bytes, then: .chunkSize(digits: 0)) { .chunkData(remaining: $0) }
        case .chunkSize, .chunkExtension:
            return lengthThroughChunkSize(in: bytes)
        }
    }

    private mutating func consume(
        _ remaining: Int64,
        of bytes: ByteBufferView,
        then next: State,
        else rest: (Int64) -> State
    ) -> Int {
        let taken = min(Int64(bytes.count), remaining)
        // A line end follows the bytes of a chunk.
        let lineEnd = if case .chunkData = state { Self.lineEndByteCount } else { Int64(0) }
        bodyByteCount = Int(max(0, remaining - lineEnd) - max(0, remaining - taken - lineEnd))
        state = taken == remaining ? next : rest(remaining - taken)
        isAtLineStart = true
        return Int(taken)
    }

    /// Heads and trailers end with an empty line, and llhttp takes a bare LF for a line end too.
    private mutating func lengthThroughEmptyLine(in bytes: ByteBufferView) -> Int {
        bytes.withUnsafeBytes { lengthThroughEmptyLine(in: $0) }
    }

    private mutating func lengthThroughEmptyLine(in bytes: UnsafeRawBufferPointer) -> Int {
        for offset in bytes.indices {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\n") {
                if isAtLineStart, hasText || state == .trailers {
                    state = .head
                    hasText = false
                    return offset + 1
                }
                isAtLineStart = true
                if hasText { endRequestLine(byteCount: offset + 1) }
            } else if byte != UInt8(ascii: "\r") {
                isAtLineStart = false
                if !hasText { beginRequestLine(at: offset) }
            }
        }
        if hasText, !hasRequestLine { requestLineByteCount += bytes.count }
        return bytes.count
    }

    private mutating func beginRequestLine(at offset: Int) {
        hasText = true
        hasRequestLine = false
        requestLineByteCount = -offset
    }

    /// Counts the first line; others make no difference.
    private mutating func endRequestLine(byteCount: Int) {
        guard !hasRequestLine else { return }
        hasRequestLine = true
        requestLineByteCount += byteCount
    }

    private mutating func lengthThroughChunkSize(in bytes: ByteBufferView) -> Int {
        for (offset, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") {
                endChunkSizeLine()
                return offset + 1
            }
            guard case .chunkSize(let digits) = state else { continue }
            if let digit = PercentCoding.hexadecimalValue(byte), digits < 1 << 56 {
                state = .chunkSize(digits: digits << 4 | Int64(digit))
            } else {
                state = .chunkExtension(size: digits)
            }
        }
        return bytes.count
    }

    private mutating func endChunkSizeLine() {
        switch state {
        case .chunkSize(let size), .chunkExtension(let size):
            state = size == 0 ? .trailers : .chunkData(remaining: size + Self.lineEndByteCount)
            isAtLineStart = true
        case .head, .body, .chunkData, .trailers:
            preconditionFailure("only a chunk-size line ends here")
        }
    }
}
