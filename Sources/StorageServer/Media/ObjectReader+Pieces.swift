// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import NIOCore
import ObjectStore
import Wire

extension ObjectReader {
    /// Bytes read from a file and handed to the connection at a time.
    static let pieceByteCount = 256 << 10

    /// A body of some of the object's bytes: held when they are few, otherwise read while they are sent.
    func body(_ range: Range<Int64>) async throws -> ResponseBody {
        if range.count <= Self.pieceByteCount { return ResponseBody(byteBuffer: try await piece(range)) }
        return ResponseBody(contentLength: range.count) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let end = min(range.upperBound, offset + Int64(Self.pieceByteCount))
                try await writer.write(try await self.piece(offset..<end))
                offset = end
            }
            try await writer.finish(nil)
        }
    }

    /// Reads a range that lies within the object.
    private func piece(_ range: Range<Int64>) async throws -> ByteBuffer {
        try await blockingWork {
            var buffer = ByteBufferAllocator().buffer(capacity: range.count)
            while buffer.readableBytes < range.count {
                let offset = range.lowerBound + Int64(buffer.readableBytes)
                let missing = range.count - buffer.readableBytes
                let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { space in
                    try self.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: space[..<missing]))
                }
                guard count > 0 else { throw StorageFailure.truncatedBlob }
            }
            return buffer
        }
    }
}
