// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The tables.
///
///     databases ─< collections ─< documents         a document's name is its id's key within the collection
///         │              └──────< versions          what documents were before, in the order of changes
///         └─< indexes ─< entries                    built when first needed; see `IndexShape`
///
/// A document's row number is higher than those of all that were there before it: newest first is a backwards scan.
enum StoreSchema {
    /// Stored in the file; any change of the tables or of what is in them needs another.
    static let version: Int64 = 2

    /// Marks a file as ours: "Fire".
    static let applicationID: Int64 = 0x4669_7265

    static let statements = [
        """
        CREATE TABLE timeline (
            id INTEGER PRIMARY KEY CHECK (id = 1), commit_time INTEGER NOT NULL, catalog INTEGER NOT NULL,
            began INTEGER NOT NULL, versions_since INTEGER NOT NULL
        )
        """,
        """
        CREATE TABLE databases (
            id INTEGER PRIMARY KEY, project TEXT NOT NULL, name TEXT NOT NULL, cleared INTEGER NOT NULL,
            UNIQUE (project, name)
        )
        """,
        """
        CREATE TABLE collections (
            id INTEGER PRIMARY KEY, database INTEGER NOT NULL, key BLOB NOT NULL, group_id BLOB NOT NULL,
            UNIQUE (database, key)
        )
        """,
        "CREATE INDEX collections_by_group ON collections (database, group_id, key)",
        """
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, name BLOB NOT NULL,
            create_time INTEGER NOT NULL, update_time INTEGER NOT NULL, data BLOB NOT NULL,
            UNIQUE (collection, name)
        )
        """,
        """
        CREATE TABLE versions (
            id INTEGER PRIMARY KEY, until INTEGER NOT NULL, collection INTEGER NOT NULL, name BLOB NOT NULL,
            create_time INTEGER NOT NULL, update_time INTEGER NOT NULL, data BLOB NOT NULL
        )
        """,
        "CREATE INDEX versions_by_name ON versions (collection, name, until)",
        """
        CREATE TABLE indexes (
            id INTEGER PRIMARY KEY, database INTEGER NOT NULL, scope INTEGER NOT NULL, place BLOB NOT NULL,
            parts BLOB NOT NULL
        )
        """,
        """
        CREATE TABLE entries (
            index_id INTEGER NOT NULL, key BLOB NOT NULL, document INTEGER NOT NULL,
            PRIMARY KEY (index_id, key)
        ) WITHOUT ROWID
        """,
        "PRAGMA application_id = \(applicationID)",
        "PRAGMA user_version = \(version)",
    ]
}
