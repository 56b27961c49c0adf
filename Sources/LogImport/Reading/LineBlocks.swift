// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads a file in large blocks, decompressed on the way where it is gzip or zlib; memory does not grow.
///
/// Blocks end with a line, unless they may be split anywhere.
final class LineBlocks {
    private static let blockByteCount = 1 << 20
    private static let lineByteCountMax = 8 << 20

    private let path: String
    private let file: any ByteSource
    private let isSplitAnywhere: Bool
    private var buffer: UnsafeMutableRawBufferPointer
    /// The bytes in the buffer.
    private var count = 0

    init(_ file: any ByteSource, named path: String, isSplitAnywhere: Bool = false) {
        self.path = path
        self.isSplitAnywhere = isSplitAnywhere
        self.file = file
        buffer = .allocate(byteCount: Self.blockByteCount, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Hands on all blocks; each holds whole lines, the last of the file perhaps without its line break.
    func read(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        while true {
            if count == buffer.count { try grow() }
            let free = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = try file.read(into: free)
            count += read
            guard read > 0 else {
                if count > 0 { try body(lines(upTo: count)) }
                return
            }
            guard let end = isSplitAnywhere ? count - 1 : lastLineBreak else { continue }
            try body(lines(upTo: end + 1))
            let rest = count - end - 1
            if rest > 0, let base = buffer.baseAddress { memmove(base, base + end + 1, rest) }
            count = rest
        }
    }

    private func lines(upTo end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeRawBufferPointer(rebasing: buffer[..<end]).assumingMemoryBound(to: UInt8.self)
    }

    private var lastLineBreak: Int? { buffer[..<count].lastIndex { $0 == 0x0A } }

    private func grow() throws {
        guard buffer.count < Self.lineByteCountMax else {
            throw LogImportError(path: path, line: nil, problem: "a line is longer than \(Self.lineByteCountMax) bytes")
        }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * buffer.count, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        buffer = larger
    }
}
