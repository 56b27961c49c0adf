// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a session log line by line, holding one line at a time; first what was set aside of it, see
/// ``SessionLogRotation``.
///
/// Takes gzip, CRLF line ends, empty lines and a last line without a line break.
package final class SessionLogReader {
    /// The first line.
    package let header: SessionHeader
    /// The lines of unknown types passed over so far.
    package private(set) var skippedLineCount = 0
    private let parts: PartsReader
    private let path: String
    private var lines: LineReader
    private var partPath: String

    /// Opens a log and reads its header.
    package init(_ path: String) throws(SessionLogError) {
        let parts = try PartsReader(path)
        guard let (file, partPath) = try parts.next() else { throw .empty(path) }
        let lines = LineReader(file)
        header = try Self.reading(partPath, of: path) { () throws(SessionLogError) in
            try Self.header(lines, path)
        }
        (self.path, self.parts, self.lines, self.partPath) = (path, parts, lines, partPath)
    }

    /// The number of the line last returned, counted from 1 in the file that it is in.
    package var lineNumber: Int { lines.lineNumber }

    /// The next view, request or retraction; `nil` at the end.
    package func next() throws(SessionLogError) -> SessionEntry? {
        repeat {
            let entry = try Self.reading(partPath, of: path) { () throws(SessionLogError) in try nextOfPart() }
            if let entry { return entry }
        } while try beginNextPart()
        return nil
    }

    private func nextOfPart() throws(SessionLogError) -> SessionEntry? {
        while let line = try lines.next() {
            let entry = try SessionEntry(line: line, lineNumber: lines.lineNumber)
            switch entry {
            case .view, .request, .retraction: return entry
            case .unknown: skippedLineCount += 1
            case .header: throw .lineBroken("a second header; a log holds one session", lineNumber: lines.lineNumber)
            }
        }
        return nil
    }

    private func beginNextPart() throws(SessionLogError) -> Bool {
        guard let (file, partPath) = try parts.next() else { return false }
        (lines, self.partPath) = (LineReader(file), partPath)
        try Self.reading(partPath, of: path) { () throws(SessionLogError) in
            guard try Self.header(lines, partPath) == header else { throw .headerForeign(lineNumber: lines.lineNumber) }
        }
        return true
    }

    /// Reads the header of one file of a log.
    static func header(ofFile path: String) throws(SessionLogError) -> SessionHeader {
        try header(LineReader(try GunzippedFile(path)), path)
    }

    private static func header(_ lines: LineReader, _ path: String) throws(SessionLogError) -> SessionHeader {
        guard let line = try lines.next() else { throw .empty(path) }
        guard case .header(let header) = try SessionEntry(line: line, lineNumber: lines.lineNumber) else {
            throw .headerMissing(lineNumber: lines.lineNumber)
        }
        return header
    }

    /// Names the part in errors, unless it is the log itself.
    private static func reading<Value>(
        _ partPath: String,
        of path: String,
        _ body: () throws(SessionLogError) -> Value
    ) throws(SessionLogError) -> Value {
        do throws(SessionLogError) {
            return try body()
        } catch {
            throw partPath == path ? error : error.inPart(partPath)
        }
    }
}
