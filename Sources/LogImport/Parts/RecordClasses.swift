// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The records of files that ``RecordFile`` wrote, by class; they wait in a temporary file.
struct RecordClasses {
    private static let frameByteCountMax = 1 << 20

    private let wordCount: Int
    /// The files that are expected, in words.
    private let expected: String
    private var file = BlockFile()
    private var blocks = [[BlockFile.Block]](repeating: [], count: RecordFile.classCount)

    /// Creates classes without a record yet.
    init(wordCount: Int, expected: String) { (self.wordCount, self.expected) = (wordCount, expected) }

    /// Takes in a file, or several that follow each other in one; `-` is standard input.
    mutating func take(_ path: String) throws {
        let source = try openDecompressed(path)
        while let head = try read(RecordFile.headByteCount, of: source, path) {
            let word = head.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
            let (number, count) = (Int(word & 0xFFFF), Int(word >> 32))
            guard number < blocks.count, Int(word >> 16 & 0xFFFF) == wordCount,
                count <= Self.frameByteCountMax / 8, let records = try read(count * 8 * wordCount, of: source, path)
            else { throw unexpected(path) }
            blocks[number].append(try file.append(records))
        }
    }

    /// Hands out the records of a class, in the order in which they were taken.
    func forEach(ofClass number: Int, _ body: (ArraySlice<UInt64>) throws -> Void) throws {
        for block in blocks[number] {
            let bytes = try file.read(block)
            let words = bytes.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 8).map {
                    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
                }
            }
            for start in stride(from: 0, to: words.count, by: wordCount) {
                try body(words[start..<(start + wordCount)])
            }
        }
    }

    /// The error of records that no log has.
    var damaged: LogImportError {
        LogImportError(path: "the records", line: nil, problem: "are not those that \(expected): they are damaged")
    }

    /// The next `count` bytes; `nil` at the end of the file.
    private func read(_ count: Int, of source: any ByteSource, _ path: String) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = try bytes.withUnsafeMutableBytes { buffer in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            guard read > 0 else {
                guard filled == 0 else { throw unexpected(path) }
                return nil
            }
            filled += read
        }
        return bytes
    }

    private func unexpected(_ path: String) -> LogImportError {
        LogImportError(path: path, line: nil, problem: "is not what \(expected)")
    }
}
