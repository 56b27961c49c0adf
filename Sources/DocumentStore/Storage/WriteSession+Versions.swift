// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

extension WriteSession {
    /// Keeps what a commit is about to replace or delete.
    func keepVersion(of stored: StoredDocument, in database: Int64) throws {
        let document = stored.document
        try db.cachedStatement(
            sql:
                "INSERT INTO versions (database, path, until, create_time, update_time, data) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                database, Data(OrderedKey(document.path).bytes), commitTime.microseconds,
                document.createTime.microseconds, document.updateTime.microseconds, Data(stored.data),
            ]
        )
    }

    /// Clears away some versions nobody can read any more.
    func pruneVersions() throws {
        let oldest = commitTime.microseconds - VersionLimits.retention.components.seconds * 1_000_000
        try db.cachedStatement(
            sql: """
                DELETE FROM versions WHERE (database, path, until) IN
                (SELECT database, path, until FROM versions WHERE until < ? ORDER BY until LIMIT ?)
                """
        ).execute(arguments: [oldest, VersionLimits.prunedCountMax])
    }
}
