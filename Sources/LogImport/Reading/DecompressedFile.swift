// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import SessionLog

/// A file or a pipe, decompressed as it is read where it is gzip, or zlib's format, as mitmproxy's `.zhar` is.
///
/// Gzip may have several members, one behind the other; other bytes behind them are left out, as by zlib's reader of files.
final class DecompressedFile: ByteSource {
    static let chunkByteCount = 256 << 10

    private let file: OpenFile<SessionLogError>
    /// Bytes from the file.
    private let chunk: UnsafeMutableRawBufferPointer
    /// Those of them that are not used.
    private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
    private var phase = Phase.beginning

    private enum Phase {
        case beginning
        /// In bytes that are not compressed.
        case plain
        /// In a stream.
        case compressed(LogInflater, LogInflater.Format)
        /// Behind a member of gzip.
        case betweenMembers(LogInflater)
        case ended
    }

    /// Reads an open file, up to `chunkByteCount` bytes at a time.
    init(_ file: OpenFile<SessionLogError>, chunkByteCount: Int = chunkByteCount) {
        self.file = file
        chunk = .allocate(byteCount: chunkByteCount, alignment: 16)
    }

    deinit { chunk.deallocate() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while !buffer.isEmpty {
            switch phase {
            case .beginning:
                try fill(atLeast: 2)
                phase = LogInflater.Format(beginning: rest).map { .compressed(LogInflater($0), $0) } ?? .plain
            case .plain: return rest.isEmpty ? try file.read(into: buffer) : takeRest(into: buffer)
            case .compressed(let inflater, let format):
                let count = try inflate(inflater, format, into: buffer)
                if count > 0 { return count }
            case .betweenMembers(let inflater):
                try fill(atLeast: 2)
                if LogInflater.Format(beginning: rest) == .gzip {
                    inflater.reset()
                    phase = .compressed(inflater, .gzip)
                } else {
                    phase = .ended
                }
            case .ended: return 0
            }
        }
        return 0
    }

    private func inflate(
        _ inflater: LogInflater,
        _ format: LogInflater.Format,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        if rest.isEmpty { try fill(atLeast: 1) }
        let isAtEnd = rest.isEmpty
        let (count, outcome) = inflater.inflate(&rest, into: buffer)
        switch outcome {
        case .progress: if count == 0, isAtEnd { throw wrong("it ends too early") }
        case .ended: phase = format == .gzip ? .betweenMembers(inflater) : .ended
        case .damaged: throw wrong("its bytes are damaged")
        }
        return count
    }

    private func takeRest(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(rest.count, buffer.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        return count
    }

    /// Reads until at least `byteCountMin` bytes are not used, or the file ends.
    private func fill(atLeast byteCountMin: Int) throws {
        var count = rest.count
        // The two may overlap.
        if count > 0 { UnsafeMutableRawBufferPointer(rebasing: chunk[..<count]).copyMemory(from: rest) }
        while count < byteCountMin {
            let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: chunk[count...]))
            guard read > 0 else { break }
            count += read
        }
        rest = UnsafeRawBufferPointer(rebasing: chunk[..<count])
    }

    private func wrong(_ problem: String) -> LogImportError {
        LogImportError(path: file.path, line: nil, problem: "cannot be decompressed: \(problem)")
    }
}
