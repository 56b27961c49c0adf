// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Basics

/// Why a session log could not be read or written.
package struct SessionLogError: Error, Sendable, CustomStringConvertible {
    /// The kind of problem.
    package struct Code: Sendable, Hashable {
        private enum Kind {
            case fileMissing, fileUnreadable, fileUnwritable, empty
            case headerMissing, schemaUnsupported, lineBroken, lineTooLong, writerClosed
        }
        private let kind: Kind

        /// There is no such file.
        package static let fileMissing = Self(kind: .fileMissing)
        /// The file cannot be opened or read.
        package static let fileUnreadable = Self(kind: .fileUnreadable)
        /// The file cannot be created or appended to.
        package static let fileUnwritable = Self(kind: .fileUnwritable)
        /// The file holds no line.
        package static let empty = Self(kind: .empty)
        /// The first line is not a header.
        package static let headerMissing = Self(kind: .headerMissing)
        /// The header names a schema this version does not know.
        package static let schemaUnsupported = Self(kind: .schemaUnsupported)
        /// A line is not a JSON object, or lacks a member that its type requires.
        package static let lineBroken = Self(kind: .lineBroken)
        /// A line is longer than ``SessionLog/lineByteCountMax``.
        package static let lineTooLong = Self(kind: .lineTooLong)
        /// The writer was closed before.
        package static let writerClosed = Self(kind: .writerClosed)
    }

    /// The kind of problem.
    package let code: Code
    /// The problem, and how to remedy it; never the line's contents.
    package let message: String
    /// The line that is wrong, counted from 1.
    package let lineNumber: Int?

    package var description: String {
        guard let lineNumber else { return message }
        return "line \(lineNumber): \(message)"
    }
}

extension SessionLogError: FileFailure {
    package init(_ fault: FileFault) {
        switch fault.operation {
        case .openForReading, .read, .list:
            let code: Code = fault.isMissing ? .fileMissing : .fileUnreadable
            self.init(code: code, message: "cannot read \(fault.path): \(fault.reason)", lineNumber: nil)
        case .openForWriting, .openDirectory, .create, .write, .synchronize, .examine, .lock, .move, .link, .remove:
            self.init(code: .fileUnwritable, message: "cannot write \(fault.path): \(fault.reason)", lineNumber: nil)
        }
    }
}

extension SessionLogError {
    static func writtenInPart(_ path: String, writtenByteCount: Int, byteCount: Int) -> Self {
        let problem = "only \(writtenByteCount) of \(byteCount) bytes were taken; is the disk full?"
        return Self(code: .fileUnwritable, message: "cannot write \(path): \(problem)", lineNumber: nil)
    }

    static func empty(_ path: String) -> Self {
        Self(code: .empty, message: "\(path) is empty; a session log begins with a header line", lineNumber: nil)
    }

    static func gzipBroken(_ path: String, problem: String) -> Self {
        Self(code: .fileUnreadable, message: "cannot decompress \(path): \(problem)", lineNumber: nil)
    }

    static func rotatedTooOften(_ path: String) -> Self {
        let message = "cannot read \(path): it is being rotated time and again; read it when it is recorded"
        return Self(code: .fileUnreadable, message: message, lineNumber: nil)
    }

    static func headerForeign(_ path: String, lineNumber: Int) -> Self {
        let message = "the header of \(path) is another session's than that of the files before it; move it elsewhere"
        return Self(code: .lineBroken, message: message, lineNumber: lineNumber)
    }

    static func partGone(_ path: String) -> Self {
        let message = "cannot read \(path): it was removed while the log was read, which --record-keep does"
        return Self(code: .fileUnreadable, message: message, lineNumber: nil)
    }

    static func logCompressed(_ path: String) -> Self {
        let message = "cannot append to \(path): it is gzip; decompress it, or record to another file"
        return Self(code: .fileUnwritable, message: message, lineNumber: nil)
    }

    static func partInTheWay(_ path: String) -> Self {
        let message = "cannot set the session log aside as \(path): there is such a file"
        return Self(code: .fileUnwritable, message: message, lineNumber: nil)
    }

    /// The error, in a part that was set aside.
    func inPart(_ path: String) -> Self {
        guard lineNumber != nil, !message.contains(path) else { return self }
        return Self(code: code, message: "\(message) (in \(path))", lineNumber: lineNumber)
    }

    static func headerMissing(lineNumber: Int) -> Self {
        let message = "expected a header such as {\"type\":\"header\",\"schema\":\"\(SessionHeader.schema)\",…}"
        return Self(code: .headerMissing, message: message, lineNumber: lineNumber)
    }

    static func schemaUnsupported(_ schema: String?, lineNumber: Int) -> Self {
        let found = schema.map { "\"\($0.prefix(64))\"" } ?? "missing"
        let message = "the header's schema is \(found); this version reads \"\(SessionHeader.schema)\""
        return Self(code: .schemaUnsupported, message: message, lineNumber: lineNumber)
    }

    static func lineBroken(_ problem: String, lineNumber: Int) -> Self {
        Self(code: .lineBroken, message: problem, lineNumber: lineNumber)
    }

    static func lineTooLong(lineNumber: Int?) -> Self {
        let message = "the line is longer than \(SessionLog.lineByteCountMax) bytes"
        return Self(code: .lineTooLong, message: message, lineNumber: lineNumber)
    }

    static func writerClosed(_ path: String) -> Self {
        Self(code: .writerClosed, message: "\(path) was closed; open a new writer to append to it", lineNumber: nil)
    }
}
