// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import GRPCCore
import NIOCore
import Wire

/// Compresses and decompresses whole messages with the system's zlib.
enum Zlib {
    private static let bestWindowBits: CInt = 15
    /// Added to the window bits, it selects the gzip format (zlib.h, `deflateInit2`).
    private static let gzipFormat: CInt = 16
    private static let memoryLevelDefault: CInt = 8
    private static let streamByteCount = CInt(MemoryLayout<z_stream>.size)
    private static let outputByteCountFirst = 4_096

    private static func windowBits(_ encoding: MessageEncoding) -> CInt {
        bestWindowBits + (encoding == .gzip ? gzipFormat : 0)
    }

    /// Returns the message compressed, behind its head.
    static func compress(_ message: ByteBuffer, as encoding: MessageEncoding) throws(RPCError) -> ByteBuffer {
        var stream = z_stream()
        let begun = deflateInit2_(
            &stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            windowBits(encoding),
            memoryLevelDefault,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            streamByteCount
        )
        guard begun == Z_OK else { throw .compressionFailed }
        defer { deflateEnd(&stream) }
        let byteCountMax = Int(deflateBound(&stream, uLong(message.readableBytes)))
        var output = MessageFrame.buffer(forByteCount: byteCountMax)
        let code = pass(message, through: &stream, into: &output, roomFor: byteCountMax) { deflate($0, Z_FINISH) }
        guard code == Z_STREAM_END else { throw .compressionFailed }
        MessageFrame.finish(&output, isCompressed: true)
        return output
    }

    /// Returns the message decompressed, behind its head; stops at more than `byteCountMax` bytes, however few came.
    static func decompress(
        _ message: ByteBuffer,
        from encoding: MessageEncoding,
        byteCountMax: Int,
        memory: ByteReservation? = nil
    ) throws(RPCError) -> ByteBuffer {
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits(encoding), ZLIB_VERSION, streamByteCount) == Z_OK else {
            throw .decompressionFailed
        }
        defer { inflateEnd(&stream) }
        var output = MessageFrame.buffer(forByteCount: outputByteCountFirst)
        var input = message
        var room = outputByteCountFirst
        while true {
            let roomNow = min(room, byteCountMax + 1)
            try memory?.hold(forMessageOf: output.readableBytes + roomNow)
            let code = pass(input, through: &stream, into: &output, roomFor: roomNow) { inflate($0, Z_NO_FLUSH) }
            input.moveReaderIndex(to: input.writerIndex - Int(stream.avail_in))
            guard output.readableBytes - MessageFrame.headByteCount <= byteCountMax else {
                throw .decompressedMessageTooLarge(max: byteCountMax)
            }
            if code == Z_STREAM_END, stream.avail_in == 0 {
                MessageFrame.finish(&output, isCompressed: false)
                return output
            }
            guard code == Z_OK, stream.avail_out == 0 else { throw .decompressionFailed }
            room *= 2
        }
    }

    private static func pass(
        _ input: ByteBuffer,
        through stream: inout z_stream,
        into output: inout ByteBuffer,
        roomFor byteCount: Int,
        _ step: (UnsafeMutablePointer<z_stream>) -> CInt
    ) -> CInt {
        var code = Z_OK
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { target in
            input.withUnsafeReadableBytes { source in
                // zlib never writes to its input, but its type does not say so.
                stream.next_in = UnsafeMutablePointer(mutating: source.bindMemory(to: Bytef.self).baseAddress)
                stream.avail_in = uInt(source.count)
                stream.next_out = target.bindMemory(to: Bytef.self).baseAddress
                stream.avail_out = uInt(byteCount)
                code = step(&stream)
            }
            return byteCount - Int(stream.avail_out)
        }
        return code
    }
}

extension ByteReservation {
    fileprivate func hold(forMessageOf byteCount: Int) throws(RPCError) {
        do {
            try hold(byteCount)
        } catch {
            throw .memoryExceeded(error)
        }
    }
}
