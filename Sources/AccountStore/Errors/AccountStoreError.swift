// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A fault of the account store.
package enum AccountStoreError: Error, Sendable, CustomStringConvertible {
    /// A row cannot be read.
    case recordUnreadable
    /// The disk has no room left, or only what is kept for deleting.
    case diskFull
    /// SQLite failed; the text names the statement, never the values.
    case database(String, isOfDisk: Bool)

    package var description: String {
        switch self {
        case .recordUnreadable: "a stored account cannot be read; the database is damaged"
        case .diskFull:
            "the disk is full, and the rest of its space is kept for deleting; delete something, or free some of it"
        case .database(let text, _): "the account database failed: \(text)"
        }
    }

    /// Whether the disk may be to blame.
    var isOfDisk: Bool {
        switch self {
        case .diskFull: true
        case .database(_, let isOfDisk): isOfDisk
        case .recordUnreadable: false
        }
    }

    init(_ error: DatabaseError) {
        let isOfDisk = [ResultCode.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode)
        self = .database(error.description, isOfDisk: isOfDisk)
    }
}
