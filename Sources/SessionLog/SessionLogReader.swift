// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads a session log line by line, holding one line at a time; first what was set aside of it, see
/// ``SessionLogRotation``.
///
/// Takes gzip, CRLF line ends, empty lines and a last line without a line break.
package final class SessionLogReader {
    /// The first line.
    package let header: SessionHeader
    /// The lines of unknown types passed over so far.
    package private(set) var skippedLineCount = 0
    /// The lines that were cut off, as by a crash or a full disk, and passed over so far.
    package private(set) var cutOffLineCount = 0
    private let parts: PartsReader
    private var lines: LineReader
    /// Where the lines are, if they were set aside.
    private var partPath: String?

    /// Opens a log and reads its header.
    package init(_ path: String) throws(SessionLogError) {
        let parts = try PartsReader(path)
        let isLatest = parts.isAtLatest
        guard let file = try parts.next() else { throw .empty(path) }
        let (lines, partPath) = (LineReader(file), isLatest ? nil : file.path)
        header = try Self.reading(partPath) { () throws(SessionLogError) in try Self.header(lines, path: file.path) }
        (self.parts, self.lines, self.partPath) = (parts, lines, partPath)
    }

    /// The number of the line last returned, counted from 1 in the file that it is in.
    package var lineNumber: Int { lines.lineNumber }

    /// The next line but those of unknown types; `nil` at the end.
    package func next() throws(SessionLogError) -> SessionEntry? {
        repeat {
            let entry = try Self.reading(partPath) { () throws(SessionLogError) in try nextOfPart() }
            if let entry { return entry }
        } while try beginNextPart()
        return nil
    }

    private func nextOfPart() throws(SessionLogError) -> SessionEntry? {
        while let line = try lines.next() {
            guard let entry = try entry(line) else { continue }
            switch entry {
            case .view, .image, .downloads, .request, .part, .recording, .document, .object, .retraction:
                return entry
            case .unknown: skippedLineCount += 1
            case .header: throw .lineBroken("a second header; a log holds one session", lineNumber: lines.lineNumber)
            }
        }
        return nil
    }

    /// Reads a line; `nil` for one whose writing was broken off.
    private func entry(_ line: [UInt8]) throws(SessionLogError) -> SessionEntry? {
        do throws(SessionLogError) {
            return try SessionEntry(line: line, lineNumber: lines.lineNumber)
        } catch {
            guard Self.isCutOff(line) else { throw error }
            cutOffLineCount += 1
            return nil
        }
    }

    /// Whether a line is the beginning of an object: nothing in it is wrong but that it ends.
    private static func isCutOff(_ line: [UInt8]) -> Bool {
        // It may end inside a character.
        let whole = Array(line.prefix(1 + (line.lastIndex { $0 < 0x80 } ?? -1)))
        do throws(JSONError) {
            _ = try JSONValue(parsing: whole)
            return false
        } catch {
            return whole.first == UInt8(ascii: "{") && error.column > whole.count
        }
    }

    private func beginNextPart() throws(SessionLogError) -> Bool {
        let isLatest = parts.isAtLatest
        guard let file = try parts.next() else { return false }
        (lines, partPath) = (LineReader(file), isLatest ? nil : file.path)
        do throws(SessionLogError) {
            guard try Self.header(lines, path: file.path) == header else {
                throw .headerForeign(file.path, lineNumber: lines.lineNumber)
            }
        } catch {
            // A process that is killed as it begins the latest leaves it without a line.
            if isLatest, error.code == .empty { return false }
            throw partPath.map(error.inPart) ?? error
        }
        return true
    }

    /// Reads the header of one file of a log.
    static func header(_ lines: LineReader, path: String) throws(SessionLogError) -> SessionHeader {
        guard let line = try lines.next() else { throw .empty(path) }
        guard case .header(let header) = try SessionEntry(line: line, lineNumber: lines.lineNumber) else {
            throw .headerMissing(lineNumber: lines.lineNumber)
        }
        return header
    }

    /// Names the part in errors.
    private static func reading<Value>(
        _ partPath: String?,
        _ body: () throws(SessionLogError) -> Value
    ) throws(SessionLogError) -> Value {
        do throws(SessionLogError) {
            return try body()
        } catch {
            throw partPath.map(error.inPart) ?? error
        }
    }
}
