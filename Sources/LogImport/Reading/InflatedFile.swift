// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation

/// A file of zlib's format (RFC 1950), as mitmproxy's `.zhar` is, decompressed as it is read.
final class InflatedFile: ByteSource {
    private static let chunkByteCount = 256 << 10

    private let path: String
    private let file: FileHandle
    private let inflater: Inflater
    /// The bytes being decompressed.
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkByteCount, alignment: 16)
    private var isAtEnd = false

    /// Opens a file; `nil` where it is none of zlib's, or cannot be opened.
    init?(_ path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 2),
            Self.isHeader(start), (try? file.seek(toOffset: 0)) != nil
        else { return nil }
        guard let inflater = Inflater(.zlib) else {
            throw LogImportError(path: path, line: nil, problem: "cannot be decompressed: out of memory")
        }
        self.path = path
        self.file = file
        self.inflater = inflater
    }

    deinit { chunk.deallocate() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = 0
        while count == 0, !isAtEnd {
            if inflater.rest.isEmpty { try fill() }
            let step = inflater.inflate(into: buffer)
            count = step.byteCount
            switch step.outcome {
            case .progress: continue
            case .ended: isAtEnd = true
            case .stuck: throw wrong("it ends too early")
            case .damaged: throw wrong("its bytes are damaged")
            }
        }
        return count
    }

    private func fill() throws {
        let bytes: Data
        do {
            bytes = try file.read(upToCount: Self.chunkByteCount) ?? Data()
        } catch {
            throw LogImportError(path: path, line: nil, problem: "cannot be read: \(error.localizedDescription)")
        }
        bytes.copyBytes(to: chunk)
        inflater.take(UnsafeRawBufferPointer(rebasing: chunk[..<bytes.count]))
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
