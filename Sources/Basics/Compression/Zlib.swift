// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The formats around compressed bytes.
package enum CompressionFormat: Sendable {
    /// RFC 1952, with a header of its own for every member.
    case gzip
    /// RFC 1950, which HTTP calls "deflate".
    case zlib

    private static let bestWindowBits: CInt = 15
    /// Added to the window bits, it selects the gzip format (zlib.h, `deflateInit2`).
    private static let gzipFormat: CInt = 16

    fileprivate var windowBits: CInt { Self.bestWindowBits + (self == .gzip ? Self.gzipFormat : 0) }
}

private let stateByteCount = CInt(MemoryLayout<z_stream>.size)

extension z_stream {
    // zlib never writes to its input, but its type does not say so.
    fileprivate mutating func take(_ input: UnsafeRawBufferPointer) {
        next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: Bytef.self).baseAddress)
        avail_in = uInt(input.count)
    }

    fileprivate mutating func fill(_ output: UnsafeMutableRawBufferPointer) {
        next_out = output.bindMemory(to: Bytef.self).baseAddress
        avail_out = uInt(output.count)
    }
}

/// Decompresses a stream of bytes that comes in pieces.
package final class Inflater {
    /// How a step ended.
    package enum Outcome: Sendable {
        /// The input is used up, or the room is.
        case progress
        /// The format's last byte was read; bytes may follow it.
        case ended
        /// Nothing can be done without more input, or without more room.
        case stuck
        /// The bytes are none of this format.
        case damaged
    }

    // Never moved: zlib's state points back to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// `nil` where there is no memory.
    package init?(_ format: CompressionFormat) {
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, format.windowBits, ZLIB_VERSION, stateByteCount) == Z_OK else { return nil }
    }

    deinit {
        // Harmless to a state that was not initialized.
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Begins another stream with the input that is left.
    package func reset() { inflateReset(stream) }

    /// Gives it the next bytes, which stay where they are until they are used up.
    package func take(_ input: UnsafeRawBufferPointer) { stream.pointee.take(input) }

    /// The input that is not used up.
    package var rest: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: stream.pointee.next_in, count: Int(stream.pointee.avail_in))
    }

    /// How much input the stream has used since it began.
    package var inputByteCount: Int { Int(stream.pointee.total_in) }

    /// Leaves out the first bytes of the input.
    package func skip(_ byteCount: Int) { take(UnsafeRawBufferPointer(rebasing: rest[byteCount...])) }

    /// Decompresses into a buffer until the input is used up or the room is; returns how many bytes are in it.
    package func inflate(into output: UnsafeMutableRawBufferPointer) -> (byteCount: Int, outcome: Outcome) {
        stream.pointee.fill(output)
        let outcome: Outcome =
            switch CZlib.inflate(stream, Z_NO_FLUSH) {
            case Z_OK: .progress
            case Z_STREAM_END: .ended
            case Z_BUF_ERROR: .stuck
            default: .damaged
            }
        return (output.count - Int(stream.pointee.avail_out), outcome)
    }
}

/// Compresses one piece of bytes.
package final class Deflater {
    private static let memoryLevelDefault: CInt = 8

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// `nil` where there is no memory.
    package init?(_ format: CompressionFormat) {
        stream.initialize(to: z_stream())
        let code = deflateInit2_(
            stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            format.windowBits,
            Self.memoryLevelDefault,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            stateByteCount
        )
        guard code == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The most bytes that this many can become.
    package func byteCountMax(of inputByteCount: Int) -> Int { Int(deflateBound(stream, uLong(inputByteCount))) }

    /// Compresses the bytes, whole; returns how many they became, `nil` where the room was too little.
    package func compress(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        stream.pointee.take(input)
        stream.pointee.fill(output)
        guard deflate(stream, Z_FINISH) == Z_STREAM_END else { return nil }
        return output.count - Int(stream.pointee.avail_out)
    }
}
