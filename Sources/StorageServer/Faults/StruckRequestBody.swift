// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import NIOCore

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
