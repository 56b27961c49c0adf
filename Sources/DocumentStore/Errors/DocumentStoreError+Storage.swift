// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

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

    static func databaseFailed(_ error: DatabaseError) -> Self {
        let reason = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        return Self(.unavailable, "The database file failed: \(reason). Check the disk's space and permissions.")
    }

    static func corrupted(_ what: String) -> Self {
        Self(.dataLoss, "The database file holds \(what) this version cannot read. Restore a backup or start anew.")
    }
}
