// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdCore
import NIOCore

/// A fault at a place in a stream of bytes.
struct FaultPoint: Sendable {
    /// The position at which it happens, counted as the stream counts its first byte.
    let position: Int64
    /// Whether a stream that ends at the position is hit too.
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
struct FaultingBodyWriter: ResponseBodyWriter {
    private var base: any ResponseBodyWriter
    private var position: Int64 = 0
    /// `nil` once it has happened.
    private var faultPoint: FaultPoint?

    init(_ base: any ResponseBodyWriter, faultPoint: FaultPoint) {
        self.base = base
        self.faultPoint = faultPoint
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await happen(before: buffer)
        guard let faultPoint else { return try await base.write(buffer) }
        let (before, behind) = faultPoint.split(buffer, at: position)
        position += Int64(before.readableBytes)
        try await base.write(before)
        guard behind.readableBytes > 0 else { return }
        try await happen(before: behind)
        try await base.write(behind)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        if let faultPoint, faultPoint.isDue(at: position, before: nil) { try await faultPoint.happen() }
        try await base.finish(trailingHeaders)
    }

    private mutating func happen(before piece: ByteBuffer) async throws {
        guard let due = faultPoint, due.isDue(at: position, before: piece) else { return }
        faultPoint = nil
        try await due.happen()
    }
}

extension Response {
    /// Lets a fault happen in the body.
    mutating func faultPoint(_ faultPoint: FaultPoint) {
        let whole = body
        body = ResponseBody(contentLength: whole.contentLength) { writer in
            try await whole.write(FaultingBodyWriter(writer, faultPoint: faultPoint))
        }
    }
}

/// A request's body in which a fault happens: what came before it can be read.
struct FaultingRequestBody: AsyncSequence, Sendable {
    let base: RequestBody
    /// The position of the first byte.
    let start: Int64
    let faultPoint: FaultPoint

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate var position: Int64
        /// `nil` once it has happened.
        fileprivate var faultPoint: FaultPoint?
        private var held: ByteBuffer?

        fileprivate init(_ body: FaultingRequestBody) {
            base = body.base.makeAsyncIterator()
            position = body.start
            faultPoint = body.faultPoint
        }

        mutating func next() async throws -> ByteBuffer? {
            // Before more is read: a client that waits for its answer may send no more.
            if let faultPoint, faultPoint.includesEnd { try await happen(faultPoint, before: nil) }
            guard let piece = try await nextPiece() else { return nil }
            guard let faultPoint else { return piece }
            try await happen(faultPoint, before: piece)
            let (before, behind) = faultPoint.split(piece, at: position)
            held = behind.readableBytes > 0 ? behind : nil
            position += Int64(before.readableBytes)
            return before
        }

        private mutating func nextPiece() async throws -> ByteBuffer? {
            guard let piece = held else { return try await base.next() }
            held = nil
            return piece
        }

        private mutating func happen(_ faultPoint: FaultPoint, before piece: ByteBuffer?) async throws {
            guard faultPoint.isDue(at: position, before: piece) else { return }
            self.faultPoint = nil
            try await faultPoint.happen()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
