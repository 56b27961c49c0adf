// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import SessionLog

/// Finds requests that the parts of a log have more than once, by the files that `audit totals --ids` wrote of them.
///
/// Memory grows with a 256th of the requests that have an id; the others wait in a temporary file.
package struct LogDuplicates {
    private static let pieceByteCount = 1 << 20

    private let property: LogGrouping.Property?
    private var file = BlockFile()
    private var blocks = [[BlockFile.Block]](repeating: [], count: RequestIDFile.classCount)

    /// Creates a search among no files yet, whose requests were grouped by a property, or not.
    package init(by property: LogGrouping.Property?) { self.property = property }

    /// Takes in a file, or several that follow each other in one; `-` is standard input.
    package mutating func take(_ path: String) throws {
        let source = try openDecompressed(path)
        while let head = try Self.read(RequestIDFile.headByteCount, of: source, path) {
            let word = head.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
            let (number, count) = (Int(word & 0xFFFF), Int(word >> 32))
            guard number < blocks.count, Int(word >> 16 & 0xFFFF) == wordCount, count <= Self.pieceByteCount / 8,
                let records = try Self.read(count * 8 * wordCount, of: source, path)
            else { throw Self.notIDs(path) }
            blocks[number].append(try file.append(records))
        }
    }

    /// The totals that take back what is counted twice: added to those of the parts, each request counts once.
    ///
    /// Of requests with one id that were not counted alike, that with the fewest bytes counts.
    package func corrections() throws -> LogTotals {
        var totals = LogTotals(by: property)
        for blocks in blocks {
            var records: [CountedRequest] = []
            for block in blocks { records += try self.records(of: block) }
            records.sort { $0.order < $1.order }
            for (first, second) in zip(records, records.dropFirst()) where first.id == second.id {
                totals.takeBack(second)
            }
        }
        return totals
    }

    private var wordCount: Int { CountedRequest.wordCount(hasGroup: property != nil) }

    private func records(of block: BlockFile.Block) throws -> [CountedRequest] {
        let bytes = try file.read(block)
        let words = bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
        }
        return stride(from: 0, to: words.count, by: wordCount).compactMap {
            CountedRequest(words[$0..<($0 + wordCount)])
        }
    }

    /// The next `count` bytes; `nil` at the end of the file.
    private static func read(_ count: Int, of source: any ByteSource, _ path: String) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = try bytes.withUnsafeMutableBytes { buffer in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            guard read > 0 else {
                guard filled == 0 else { throw notIDs(path) }
                return nil
            }
            filled += read
        }
        return bytes
    }

    private static func notIDs(_ path: String) -> LogImportError {
        LogImportError(path: path, line: nil, problem: "is not what 'audit totals --ids' wrote with the same --by")
    }
}
