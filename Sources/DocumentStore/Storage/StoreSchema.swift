// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables.
///
/// `index_entries.key` is a value's key followed by the document's name in the scope: an index is read in the
/// order of values, then names, straight from its B-tree.
enum StoreSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            for statement in firstVersion {
                try db.execute(sql: statement)
            }
        }
        migrator.registerMigration("2") { db in
            for statement in versions {
                try db.execute(sql: statement)
            }
        }
        return migrator
    }

    /// `versions` has what commits of the last hour replaced or deleted: each row was the document up to `until`.
    ///
    /// A creation leaves none. So a document was there at a time when the first version that lasted longer than that
    /// time, or else the present one, is not younger than it.
    private static let versions = [
        "ALTER TABLE databases ADD COLUMN cleared INTEGER NOT NULL DEFAULT 0",
        """
        CREATE TABLE versions (
            database INTEGER NOT NULL, path BLOB NOT NULL, until INTEGER NOT NULL,
            create_time INTEGER NOT NULL, update_time INTEGER NOT NULL, data BLOB NOT NULL,
            PRIMARY KEY (database, path, until)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX versions_by_end ON versions (until)",
    ]

    private static let firstVersion = [
        "CREATE TABLE timeline (id INTEGER PRIMARY KEY CHECK (id = 1), commit_time INTEGER NOT NULL)",
        "INSERT INTO timeline (id, commit_time) VALUES (1, 0)",
        """
        CREATE TABLE databases (
            id INTEGER PRIMARY KEY, project TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (project, name)
        )
        """,
        """
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY, database INTEGER NOT NULL, path BLOB NOT NULL,
            create_time INTEGER NOT NULL, update_time INTEGER NOT NULL, data BLOB NOT NULL,
            UNIQUE (database, path)
        )
        """,
        """
        CREATE TABLE scopes (
            id INTEGER PRIMARY KEY, database INTEGER NOT NULL, kind INTEGER NOT NULL, key BLOB NOT NULL,
            UNIQUE (database, kind, key)
        )
        """,
        """
        CREATE TABLE index_entries (
            scope INTEGER NOT NULL, field BLOB NOT NULL, key BLOB NOT NULL, document INTEGER NOT NULL,
            PRIMARY KEY (scope, field, key)
        ) WITHOUT ROWID
        """,
    ]
}
