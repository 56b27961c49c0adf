// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Faults of the machine below.
extension ObjectStoreError {
    static func directoryInUse(_ directory: String) -> Self {
        Self(
            code: .directoryInUse,
            message: "another process has the data directory \(directory) open; stop it or choose another directory"
        )
    }

    static func directoryNotWritable(_ directory: String, cause: Self) -> Self {
        Self(
            code: .directoryNotWritable,
            message: "cannot write in the data directory \(directory) (\(cause.message));"
                + " change its permissions or choose another directory",
            cause: cause
        )
    }

    static func blobMissing(_ path: ObjectPath) -> Self {
        Self(
            code: .corrupt,
            message: "the bytes of \(path) are missing from the data directory; upload the object again"
        )
    }

    static func blobDamaged(_ path: ObjectPath, expected: Int64, actual: Int64) -> Self {
        Self(
            code: .corrupt,
            message: "\(path) has \(actual) bytes on disk instead of \(expected); upload the object again"
        )
    }

    static func rowUnreadable(_ column: String) -> Self {
        Self(code: .corrupt, message: "the stored \(column) of an object cannot be read; the database is damaged")
    }

    static let hashUnavailable = Self(
        code: .inputOutput,
        message: "the system's libcrypto refuses to compute MD5; check whether it runs in FIPS mode"
    )

    /// A fault of SQLite; its message names the statement, never the values.
    static func database(_ error: DatabaseError) -> Self {
        let code: Code =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
            case .SQLITE_FULL: .diskFull
            default: .inputOutput
            }
        let advice =
            error.resultCode == .SQLITE_CANTOPEN
            ? "; check its directory, and whether the process may open more files (ulimit -n)" : ""
        return Self(code: code, message: "the metadata database failed: \(error.description)\(advice)", cause: error)
    }

    static let spaceKept = Self(
        code: .diskFull,
        message: "the disk is full, and the rest of its space is kept for deleting;"
            + " delete something, or free some of it"
    )

    /// Whether the disk may be to blame.
    var isOfDisk: Bool { code == .diskFull || code == .inputOutput }
}
