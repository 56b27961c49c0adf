// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation

/// A file of zlib's format (RFC 1950), as mitmproxy's `.zhar` is, decompressed as it is read.
final class InflatedFile: ByteSource {
    private static let chunkByteCount = 256 << 10

    private let path: String
    private let file: FileHandle
    private let stream: UnsafeMutablePointer<z_stream>
    /// The bytes being decompressed.
    private let chunk = UnsafeMutablePointer<UInt8>.allocate(capacity: chunkByteCount)
    private var isAtEnd = false

    /// Opens a file; `nil` where it is none of zlib's, or cannot be opened.
    init?(_ path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 2),
            Self.isHeader(start), (try? file.seek(toOffset: 0)) != nil
        else { return nil }
        self.path = path
        self.file = file
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit_(stream, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw LogImportError(path: path, line: nil, problem: "cannot be decompressed: out of memory")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        chunk.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = CUnsignedInt(clamping: buffer.count)
        let wanted = stream.pointee.avail_out
        while stream.pointee.avail_out == wanted, !isAtEnd {
            if stream.pointee.avail_in == 0 { try fill() }
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK: continue
            case Z_STREAM_END: isAtEnd = true
            case Z_BUF_ERROR: throw wrong("it ends too early")
            default: throw wrong("its bytes are damaged")
            }
        }
        return Int(wanted - stream.pointee.avail_out)
    }

    private func fill() throws {
        let bytes: Data
        do {
            bytes = try file.read(upToCount: Self.chunkByteCount) ?? Data()
        } catch {
            throw LogImportError(path: path, line: nil, problem: "cannot be read: \(error.localizedDescription)")
        }
        bytes.copyBytes(to: chunk, count: bytes.count)
        stream.pointee.next_in = chunk
        stream.pointee.avail_in = CUnsignedInt(bytes.count)
    }

    /// Deflate with a window of 32 KiB and a checksum of the two bytes, without a dictionary; no text begins so.
    private static func isHeader(_ start: Data) -> Bool {
        guard start.count == 2 else { return false }
        let (method, flags) = (Int(start[start.startIndex]), Int(start[start.startIndex + 1]))
        return method == 0x78 && (method << 8 | flags) % 31 == 0 && flags & 0x20 == 0
    }

    private func wrong(_ problem: String) -> LogImportError {
        LogImportError(path: path, line: nil, problem: "cannot be decompressed: \(problem)")
    }
}
