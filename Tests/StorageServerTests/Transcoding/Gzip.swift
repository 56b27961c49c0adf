// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CZlib

/// Bytes compressed with gzip.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let (windowBits, gzipFormat, memoryLevel): (CInt, CInt, CInt) = (15, 16, 8)
    let begun = deflateInit2_(
        &stream,
        Z_BEST_COMPRESSION,
        Z_DEFLATED,
        windowBits + gzipFormat,
        memoryLevel,
        Z_DEFAULT_STRATEGY,
        ZLIB_VERSION,
        CInt(MemoryLayout<z_stream>.size)
    )
    precondition(begun == Z_OK, "zlib must be there")
    defer { deflateEnd(&stream) }
    var source = bytes
    var target = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
    source.withUnsafeMutableBufferPointer { source in
        target.withUnsafeMutableBufferPointer { target in
            stream.next_in = source.baseAddress
            stream.avail_in = uInt(source.count)
            stream.next_out = target.baseAddress
            stream.avail_out = uInt(target.count)
            precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "the room is enough")
        }
    }
    return Array(target.dropLast(Int(stream.avail_out)))
}
