// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The body of a request on its way from a stream to the task that answers it.
///
/// Holds no more than the stream's window: the client is given room when the task takes a piece.
struct HTTPStreamBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let pieces: AsyncThrowingStream<ByteBuffer, any Error>
    /// Called with the size of each piece that was taken.
    let onTaken: @Sendable (_ byteCount: Int) -> Void

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: AsyncThrowingStream<ByteBuffer, any Error>.Iterator
        fileprivate let onTaken: @Sendable (_ byteCount: Int) -> Void

        mutating func next() async throws -> ByteBuffer? {
            guard let piece = try await pieces.next() else { return nil }
            onTaken(piece.readableBytes)
            return piece
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator(), onTaken: onTaken) }
}
