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
        let isDamage = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        return Self(
            code: isDamage ? .corrupt : .inputOutput,
            message: "the metadata database failed: \(error.description)",
            cause: error
        )
    }
}
