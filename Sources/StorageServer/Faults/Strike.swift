// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
