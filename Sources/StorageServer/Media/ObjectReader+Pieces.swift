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
            try await self.send(range, to: &writer)
            try await writer.finish(nil)
        }
    }

    /// A body of several ranges, each read while it is sent.
    func body(_ ranges: MultipartRanges) -> ResponseBody {
        ResponseBody(contentLength: ranges.byteCount) { writer in
            for part in ranges.parts {
                try await writer.write(ByteBuffer(string: part.heading))
                try await self.send(part.range, to: &writer)
            }
            try await writer.write(ByteBuffer(string: ranges.ending))
            try await writer.finish(nil)
        }
    }

    private func send(_ range: Range<Int64>, to writer: inout any ResponseBodyWriter) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let end = min(range.upperBound, offset + Int64(Self.pieceByteCount))
            try await writer.write(try await piece(offset..<end))
            offset = end
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
