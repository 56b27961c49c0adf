// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a session log line by line, holding one line at a time.
///
/// Takes CRLF line ends, empty lines and a last line without a line break.
package final class SessionLogReader {
    /// The first line.
    package let header: SessionHeader
    /// The lines of unknown types passed over so far.
    package private(set) var skippedLineCount = 0
    private let lines: LineReader

    /// Opens a log and reads its header.
    package init(_ path: String) throws(SessionLogError) {
        lines = try LineReader(path)
        guard let line = try lines.next() else { throw .empty(path) }
        guard case .header(let header) = try SessionEntry(line: line, lineNumber: lines.lineNumber) else {
            throw .headerMissing(lineNumber: lines.lineNumber)
        }
        self.header = header
    }

    /// The number of the line last returned, counted from 1.
    package var lineNumber: Int { lines.lineNumber }

    /// The next view or request; `nil` at the end.
    package func next() throws(SessionLogError) -> SessionEntry? {
        while let line = try lines.next() {
            let entry = try SessionEntry(line: line, lineNumber: lines.lineNumber)
            switch entry {
            case .view, .request: return entry
            case .unknown: skippedLineCount += 1
            case .header: throw .lineBroken("a second header; a log holds one session", lineNumber: lines.lineNumber)
            }
        }
        return nil
    }
}
