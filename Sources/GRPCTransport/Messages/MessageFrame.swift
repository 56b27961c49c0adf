// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The head before each message: whether it is compressed, and its length (gRPC's PROTOCOL-HTTP2, "Length-Prefixed-Message").
enum MessageFrame {
    static let headByteCount = 5

    /// A buffer with room for a message behind an empty head.
    static func buffer(forByteCount byteCount: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(headByteCount + byteCount)
        buffer.writeRepeatingByte(0, count: headByteCount)
        return buffer
    }

    /// An uncompressed message behind its head.
    static func buffer(of message: UnsafeRawBufferPointer) -> ByteBuffer {
        let byteCount = headByteCount + message.count
        var buffer = ByteBufferAllocator().buffer(capacity: byteCount)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { frame in
            frame[0] = 0
            frame.storeBytes(of: UInt32(message.count).bigEndian, toByteOffset: 1, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: frame[headByteCount...]).copyMemory(from: message)
            return byteCount
        }
        return buffer
    }

    /// Fills in the head when the message has been written.
    static func finish(_ frame: inout ByteBuffer, isCompressed: Bool) {
        frame.setInteger(isCompressed ? 1 : 0, at: frame.readerIndex, as: UInt8.self)
        frame.setInteger(UInt32(frame.readableBytes - headByteCount), at: frame.readerIndex + 1)
    }
}

/// How messages are compressed, as `grpc-encoding` names it.
enum MessageEncoding: String, CaseIterable {
    case identity
    case gzip
    /// The zlib format, RFC 1950.
    case deflate

    /// The value of this server's `grpc-accept-encoding`.
    static let accepted = allCases.map(\.rawValue).joined(separator: ",")

    /// Whether a client's `grpc-accept-encoding` names the encoding.
    func isAccepted(by list: String) -> Bool {
        list.split(separator: ",").contains { $0.drop { $0 == " " } == rawValue[...] }
    }
}
