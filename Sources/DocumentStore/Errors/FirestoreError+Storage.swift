// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension FirestoreError {
    static func cannotOpen(_ location: String, reason: String) -> Self {
        Self(
            .unavailable,
            "Cannot open the database file \(location): \(reason). Its directory must exist and be writable."
        )
    }

    static func writtenByNewerVersion(_ location: String) -> Self {
        Self(
            .unavailable,
            "The database file \(location) was written by a newer version. Use that version, or another file."
        )
    }

    static func writtenByOlderVersion(_ location: String) -> Self {
        Self(
            .unavailable,
            """
            The database file \(location) was written by an older version, in a form no longer read. \
            Remove it, or use another file.
            """
        )
    }

    static var closed: Self { Self(.unavailable, "The database is closed.") }

    /// A full disk has a code of its own: "perhaps the entire file system is out of space", as Google describes it.
    ///
    /// Source: https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto, RESOURCE_EXHAUSTED (2026-11).
    static func databaseFailed(_ error: SQLiteError) -> Self {
        guard !error.isDiskFull else {
            return Self(.resourceExhausted, "The disk is full: delete something, or free some of its space.")
        }
        return Self(.unavailable, "The database file failed: \(error.reason). Check the disk's space and permissions.")
    }

    static let spaceKept = Self(
        .resourceExhausted,
        "The disk is full, and the rest of its space is kept for deleting: delete something, or free some of it."
    )

    /// Whether the disk may be to blame.
    var isOfDisk: Bool { code == .unavailable || code == .resourceExhausted }
}
