// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import DataFiles
import Foundation
import GRDB

/// An error of a usage ledger.
package struct UsageLedgerError: Error, Sendable, CustomStringConvertible {
    /// The kind of fault.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind {
            case closed, corrupt, inputOutput, lateMark, unknownMark
        }

        private let kind: Kind

        /// The ledger was closed before.
        package static let closed = Self(kind: .closed)
        /// The stored records cannot be read.
        package static let corrupt = Self(kind: .corrupt)
        /// The database could not be opened, read or written.
        package static let inputOutput = Self(kind: .inputOutput)
        /// A mark is so old that what was used since cannot be distinguished from what was used before.
        package static let lateMark = Self(kind: .lateMark)
        /// A mark is none that this ledger has given out.
        package static let unknownMark = Self(kind: .unknownMark)

        package var description: String { String(describing: kind) }
    }

    /// The kind of fault.
    package var code: Code
    /// The problem, and how it may be remedied.
    package var message: String
    /// The error below, if any.
    package var cause: (any Error)?

    package var description: String { "\(code): \(message)" }
}

extension UsageLedgerError {
    static let closed = Self(code: .closed, message: "the usage ledger is closed; open it anew")

    static func directory(_ path: String, because fault: FileFault) -> Self {
        Self(
            code: .inputOutput,
            message: "cannot create the directory \(path) for the usage ledger: \(fault.reason)"
        )
    }

    /// A fault of SQLite; its message names the statement, never the values.
    static func database(_ error: DatabaseError) -> Self {
        let isDamage = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        return Self(
            code: isDamage ? .corrupt : .inputOutput,
            message: "the usage database failed: \(error.description)",
            cause: error
        )
    }

    /// Whether a ledger could not be opened because its disk is full.
    func isOfFullDisk(_ storage: UsageLedger.Storage) -> Bool {
        guard let error = cause as? DatabaseError, case .directory(let path) = storage else { return false }
        return [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
            || error.resultCode == .SQLITE_CANTOPEN && Disk.isFull(at: path)
    }

    static let spaceKept = Self(
        code: .inputOutput,
        message: "the disk is full, and the rest of its space is kept for deleting; free some of it"
    )

    static func unreadable(_ column: String) -> Self {
        Self(code: .corrupt, message: "the stored \(column) of a usage record cannot be read; the database is damaged")
    }

    static func unknownMark(_ mark: UsageMark) -> Self {
        Self(code: .unknownMark, message: "'\(mark)' is no mark of these data; ask for a new one")
    }

    static func lateMark(_ mark: UsageMark) -> Self {
        Self(
            code: .lateMark,
            message: "'\(mark)' is from a time of which only the sums by the hour are kept; ask for a new one"
        )
    }
}
