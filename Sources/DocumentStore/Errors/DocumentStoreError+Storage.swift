// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension DocumentStoreError {
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

    static func databaseFailed(_ error: SQLiteError) -> Self {
        Self(.unavailable, "The database file failed: \(error.reason). Check the disk's space and permissions.")
    }

    static func corrupted(_ what: String) -> Self {
        Self(.dataLoss, "The database file holds \(what) this version cannot read. Restore a backup or start anew.")
    }
}
