// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

/// The decompressed bytes of an object, the first of which were looked at before its answer began.
///
/// An object that is small, or broken at its start, can still be refused then, instead of an answer that breaks off.
struct GunzippedBytes: Sendable {
    /// How many bytes are looked at, and one piece more at most.
    static let openingByteCount = ObjectReader.pieceByteCount
    /// How many pieces are looked at: some objects expand to next to nothing.
    static let openingPieceCountMax = 16

    private let opening: ByteBuffer
    private let rest: GunzippingReader

    /// Decompresses the first bytes; throws when that cannot be done.
    init(_ object: ObjectReader) throws {
        rest = try GunzippingReader(object)
        var opening = ByteBuffer()
        for _ in 0..<Self.openingPieceCountMax where opening.readableBytes < Self.openingByteCount {
            guard var piece = try rest.next() else { break }
            opening.writeBuffer(&piece)
        }
        self.opening = opening
    }

    /// A body of the bytes, read and decompressed as fast as the client takes them.
    ///
    /// Bytes that cannot be decompressed break the connection behind those before them: the answer must not look whole.
    var body: ResponseBody {
        ResponseBody { writer in
            if opening.readableBytes > 0 { try await writer.write(opening) }
            while let piece = try await next() {
                if piece.readableBytes > 0 { try await writer.write(piece) }
            }
            try await writer.finish(nil)
        }
    }

    private func next() async throws -> ByteBuffer? {
        do {
            return try await blockingWork { try rest.next() }
        } catch is StorageFailure {
            throw AnswerBreak()
        }
    }
}
