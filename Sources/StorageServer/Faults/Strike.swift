// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore

/// A fault at a place in a stream of bytes.
struct Strike: Sendable {
    /// The position at which it happens, counted as the stream counts its first byte.
    let position: Int64
    /// Whether a stream that ends at the position is struck too.
    let includesEnd: Bool
    /// Happens; throws what ends the stream.
    let happen: @Sendable () async throws -> Void

    /// Whether it happens before these bytes, which begin at `start`, are passed on; `nil` stands for the end.
    func isDue(at start: Int64, before piece: ByteBuffer?) -> Bool {
        guard start >= position else { return false }
        return includesEnd || (piece?.readableBytes ?? 0) > 0
    }

    /// Splits bytes that begin at `start` where it happens; the second part is empty when that is not among them.
    func split(_ piece: ByteBuffer, at start: Int64) -> (before: ByteBuffer, behind: ByteBuffer) {
        guard start < position, start + Int64(piece.readableBytes) > position else { return (piece, ByteBuffer()) }
        var behind = piece
        let before = behind.readSlice(length: Int(position - start)) ?? piece
        return (before, behind)
    }
}

/// Writes an answer's body in which a fault happens.
struct StruckBodyWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private var position: Int64 = 0
    /// `nil` once it has happened.
    private var strike: Strike?

    init(_ base: any ResponseBodyWriter, _ strike: Strike) {
        self.base = base
        self.strike = strike
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await happen(before: buffer)
        guard let strike else { return try await base.write(buffer) }
        let (before, behind) = strike.split(buffer, at: position)
        position += Int64(before.readableBytes)
        try await base.write(before)
        guard behind.readableBytes > 0 else { return }
        try await happen(before: behind)
        try await base.write(behind)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        if let strike, strike.isDue(at: position, before: nil) { try await strike.happen() }
        try await base.finish(trailingHeaders)
    }

    private mutating func happen(before piece: ByteBuffer) async throws {
        guard let due = strike, due.isDue(at: position, before: piece) else { return }
        strike = nil
        try await due.happen()
    }
}

extension Response {
    /// Lets a fault happen in the body.
    mutating func strike(_ strike: Strike) {
        let whole = body
        body = ResponseBody(contentLength: whole.contentLength) { writer in
            try await whole.write(StruckBodyWriter(writer, strike))
        }
    }
}

/// A request's body in which a fault happens: what came before it can be read.
struct StruckRequestBody: AsyncSequence, Sendable {
    let base: RequestBody
    /// The position of the first byte.
    let start: Int64
    let strike: Strike

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate var position: Int64
        /// `nil` once it has happened.
        fileprivate var strike: Strike?
        private var held: ByteBuffer?

        fileprivate init(_ body: StruckRequestBody) {
            base = body.base.makeAsyncIterator()
            position = body.start
            strike = body.strike
        }

        mutating func next() async throws -> ByteBuffer? {
            // Before more is read: a client that waits for its answer may send no more.
            if let strike, strike.includesEnd { try await happen(strike, before: nil) }
            guard let piece = try await nextPiece() else { return nil }
            guard let strike else { return piece }
            try await happen(strike, before: piece)
            let (before, behind) = strike.split(piece, at: position)
            held = behind.readableBytes > 0 ? behind : nil
            position += Int64(before.readableBytes)
            return before
        }

        private mutating func nextPiece() async throws -> ByteBuffer? {
            guard let piece = held else { return try await base.next() }
            held = nil
            return piece
        }

        private mutating func happen(_ strike: Strike, before piece: ByteBuffer?) async throws {
            guard strike.isDue(at: position, before: piece) else { return }
            self.strike = nil
            try await strike.happen()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
