// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Splits a file into lines, in memory bounded by the longest line allowed.
final class LineReader {
    private static let chunkByteCount = 64 << 10

    private let file: GunzippedFile
    private var buffer: [UInt8] = []
    private var start = 0
    /// The number of the line last returned, counted from 1; empty lines count too.
    private(set) var lineNumber = 0

    init(_ file: GunzippedFile) { self.file = file }

    /// The next line that is not empty, without its line break; `nil` at the end.
    func next() throws(SessionLogError) -> [UInt8]? {
        while let line = try nextLine() {
            if !line.isEmpty { return line }
        }
        return nil
    }

    private func nextLine() throws(SessionLogError) -> [UInt8]? {
        var searched = start
        while true {
            if let lineBreak = buffer[searched...].firstIndex(of: 0x0A) {
                return try take(upTo: lineBreak, next: lineBreak + 1)
            }
            let searchedByteCount = buffer.count - start
            guard searchedByteCount <= SessionLog.lineByteCountMax else {
                throw .lineTooLong(lineNumber: lineNumber + 1)
            }
            guard try fill() else {
                return searchedByteCount > 0 ? try take(upTo: buffer.count, next: buffer.count) : nil
            }
            searched = start + searchedByteCount
        }
    }

    private func take(upTo end: Int, next: Int) throws(SessionLogError) -> [UInt8] {
        lineNumber += 1
        guard end - start <= SessionLog.lineByteCountMax else { throw .lineTooLong(lineNumber: lineNumber) }
        var line = Array(buffer[start..<end])
        if line.last == 0x0D { line.removeLast() }
        start = next
        return line
    }

    /// Drops what was returned and reads on; false at the end of the file.
    private func fill() throws(SessionLogError) -> Bool {
        buffer.removeSubrange(..<start)
        start = 0
        let chunk = try file.nextChunk(upTo: Self.chunkByteCount)
        buffer += chunk
        return !chunk.isEmpty
    }
}
