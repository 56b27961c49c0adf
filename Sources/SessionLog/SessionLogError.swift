// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
