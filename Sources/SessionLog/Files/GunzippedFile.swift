// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import CZlib

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is being read, decompressed on the way where it is gzip.
final class GunzippedFile {
    let path: String
    private let file: gzFile

    /// Opens a file.
    init(_ path: String) throws(SessionLogError) {
        guard let file = gzopen(path, "rbe") else { throw SessionLogError(FileFault(.openForReading, path)) }
        self.path = path
        self.file = file
    }

    /// Opens a file; returns `nil` where there is none.
    static func ifThere(_ path: String) throws(SessionLogError) -> GunzippedFile? {
        do throws(SessionLogError) {
            return try GunzippedFile(path)
        } catch {
            guard error.code == .fileMissing else { throw error }
            return nil
        }
    }

    deinit { gzclose_r(file) }

    /// Whether it is gzip.
    var isCompressed: Bool { gzdirect(file) == 0 }

    /// Reads on from the last read; empty at the end of the file.
    func nextChunk(upTo byteCountMax: Int) throws(SessionLogError) -> [UInt8] {
        var count: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCountMax) { buffer, initializedCount in
            count = gzread(file, buffer.baseAddress, CUnsignedInt(byteCountMax))
            initializedCount = Int(max(0, count))
        }
        if count <= 0 { try checkEnd() }
        return bytes
    }

    /// Distinguishes the end of the file from a failure.
    private func checkEnd() throws(SessionLogError) {
        let fault = FileFault(.read, path)
        var code: CInt = Z_OK
        _ = gzerror(file, &code)
        switch code {
        case Z_OK, Z_STREAM_END: return
        case Z_ERRNO: throw SessionLogError(fault)
        case Z_BUF_ERROR: throw .gzipBroken(path, problem: "it ends too early")
        default: throw .gzipBroken(path, problem: "its bytes are damaged")
        }
    }
}

extension GunzippedFile {
    private static let chunkByteCount = 256 << 10

    /// Writes the contents of a file to another, compressed, and waits for the disk.
    static func compress(_ path: String, to compressedPath: String) throws(SessionLogError) {
        let source = try GunzippedFile(path)
        let file = try LogFile(compressedPath, .readingAndWriting, [.creating, .emptying])
        // zlib closes what it is given.
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard let target = gzdopen(descriptor, "wb") else {
            let fault = FileFault(.openForWriting, compressedPath)
            _ = close(descriptor)
            throw SessionLogError(fault)
        }
        var isWritten = true
        do {
            while isWritten {
                let chunk = try source.nextChunk(upTo: chunkByteCount)
                if chunk.isEmpty { break }
                isWritten = gzwrite(target, chunk, CUnsignedInt(chunk.count)) == CInt(chunk.count)
            }
        } catch {
            gzclose_w(target)
            throw error
        }
        // Closing writes what zlib still holds.
        let isClosed = gzclose_w(target) == Z_OK
        guard isWritten, isClosed else { throw SessionLogError(FileFault(.write, compressedPath)) }
        try file.synchronize()
    }
}
