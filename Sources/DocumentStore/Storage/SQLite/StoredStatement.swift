// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The statements that are kept prepared.
enum StoredStatement: Int, CaseIterable {
    case begin, beginWriting, commit, rollback
    case timeline, setCommitTime, changeCatalog, history, setVersionsSince
    case database, insertDatabase, clearDatabase, otherDocument, databasesWithDocuments
    case collection, insertCollection, collectionByID, firstCollection, collectionsInRange, collectionsInGroup
    case documentByName, documentByID, documentsAscending, documentsDescending, firstDocument,
        countDocuments
    case allDocuments, documentsOfCollection, documentsOfDatabase, documentsInRange, newestDocuments, newestDocumentID,
        insertDocument, insertMissingDocument, updateDocument, deleteDocument
    case insertVersion, newestVersions, versionAfter, oldestVersions, newestVersionID, deleteVersions
    case indexes, insertIndex, deleteIndex, deleteEntries
    case entriesAscending, entriesDescending, countEntries, insertEntry, deleteEntry, deleteEntriesOfRow

    var sql: String {
        let all = [Self.transactions, Self.places, Self.documents, Self.versions, Self.entries]
        guard let sql = all.lazy.compactMap({ $0[self] }).first else {
            preconditionFailure("no SQL for \(self)")
        }
        return sql
    }

    private static let transactions: [StoredStatement: String] = [
        .begin: "BEGIN",
        .beginWriting: "BEGIN IMMEDIATE",
        .commit: "COMMIT",
        .rollback: "ROLLBACK",
        .timeline: "SELECT commit_time, catalog FROM timeline",
        .setCommitTime: "UPDATE timeline SET commit_time = ?",
        .changeCatalog: "UPDATE timeline SET catalog = catalog + 1",
        .history: "SELECT began, versions_since FROM timeline",
        .setVersionsSince: "UPDATE timeline SET versions_since = ?",
    ]

    private static let places: [StoredStatement: String] = [
        .database: "SELECT id, cleared FROM databases WHERE project = ? AND name = ?",
        .insertDatabase: "INSERT INTO databases (project, name, cleared) VALUES (?, ?, 0)",
        .clearDatabase: "UPDATE databases SET cleared = ? WHERE id = ?",
        .otherDocument: """
        SELECT 1 FROM collections AS c JOIN documents AS d ON d.collection = c.id
        WHERE c.database <> ? LIMIT 1
        """,
        .databasesWithDocuments: """
        SELECT b.project, b.name FROM databases AS b WHERE EXISTS (
            SELECT 1 FROM collections AS c CROSS JOIN documents AS d ON d.collection = c.id WHERE c.database = b.id
        )
        """,
        .collection: "SELECT id FROM collections WHERE database = ? AND key = ?",
        .insertCollection: "INSERT INTO collections (database, key, group_id) VALUES (?, ?, ?)",
        .collectionByID: "SELECT database, key FROM collections WHERE id = ?",
        .firstCollection: """
        SELECT id, key FROM collections WHERE database = ? AND key >= ? AND key < ? ORDER BY key LIMIT 1
        """,
        .collectionsInRange: """
        SELECT id, key FROM collections WHERE database = ? AND key >= ? AND key < ? ORDER BY key
        """,
        .collectionsInGroup: """
        SELECT id, key FROM collections
        WHERE database = ? AND group_id = ? AND key >= ? AND key < ? ORDER BY key
        """,
    ]

    private static let documents: [StoredStatement: String] = [
        .documentByName: """
        SELECT id, create_time, update_time, data FROM documents WHERE collection = ? AND name = ?
        """,
        .documentByID: "SELECT collection, name, create_time, update_time, data FROM documents WHERE id = ?",
        .documentsAscending: documentsByName,
        .documentsDescending: documentsByName + " DESC",
        .firstDocument: "SELECT name FROM documents WHERE collection = ? AND name >= ? ORDER BY name LIMIT 1",
        .countDocuments: """
        SELECT count(*) FROM
        (SELECT 1 FROM documents WHERE collection = ? AND name >= ? AND name < ? LIMIT ?)
        """,
        // In the order of rows, which reads each page once.
        .allDocuments: "SELECT id, collection, name, data FROM documents NOT INDEXED ORDER BY id",
        .documentsOfCollection: "SELECT id, collection, name, data FROM documents WHERE collection = ?",
        // A cross join keeps the order of the tables, and so needs no sorting.
        .documentsOfDatabase: """
        SELECT c.id, c.key, d.name, d.data FROM collections AS c CROSS JOIN documents AS d ON d.collection = c.id
        WHERE c.database = ? ORDER BY c.key, d.name
        """,
        .documentsInRange: """
        SELECT c.id, c.key, d.name, length(d.data)
        FROM collections AS c CROSS JOIN documents AS d ON d.collection = c.id
        WHERE c.database = ? AND c.key >= ? AND c.key < ? ORDER BY c.key, d.name
        """,
        .newestDocumentID: "SELECT max(id) FROM documents",
        .newestDocuments: "SELECT collection, name, create_time FROM documents ORDER BY id DESC",
        .insertDocument: """
        INSERT INTO documents (collection, name, create_time, update_time, data) VALUES (?, ?, ?, ?, ?)
        """,
        .insertMissingDocument: """
        INSERT INTO documents (collection, name, create_time, update_time, data) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (collection, name) DO NOTHING
        """,
        .updateDocument: "UPDATE documents SET update_time = ?, data = ? WHERE id = ?",
        .deleteDocument: "DELETE FROM documents WHERE id = ?",
    ]

    private static let documentsByName = """
        SELECT id, name, create_time, update_time, data FROM documents
        WHERE collection = ? AND name >= ? AND name < ? ORDER BY name
        """

    private static let versions: [StoredStatement: String] = [
        .insertVersion: """
        INSERT INTO versions (until, collection, name, create_time, update_time, data)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        .newestVersions: """
        SELECT until, collection, name, create_time, update_time, data FROM versions ORDER BY id DESC
        """,
        .versionAfter: """
        SELECT create_time, update_time, data FROM versions
        WHERE collection = ? AND name = ? AND until > ? ORDER BY until LIMIT 1
        """,
        .oldestVersions: "SELECT id, until FROM versions ORDER BY id LIMIT ?",
        .newestVersionID: "SELECT max(id) FROM versions",
        .deleteVersions: "DELETE FROM versions WHERE id <= ?",
    ]

    private static let entries: [StoredStatement: String] = [
        .indexes: "SELECT id, database, scope, place, parts FROM indexes ORDER BY id",
        .insertIndex: "INSERT INTO indexes (database, scope, place, parts) VALUES (?, ?, ?, ?)",
        .deleteIndex: "DELETE FROM indexes WHERE id = ?",
        .deleteEntries: "DELETE FROM entries WHERE index_id = ?",
        .entriesAscending: entriesByKey,
        .entriesDescending: entriesByKey + " DESC",
        .countEntries: """
        SELECT count(*) FROM
        (SELECT 1 FROM entries WHERE index_id = ? AND key >= ? AND key < ? LIMIT ?)
        """,
        .insertEntry: "INSERT INTO entries (index_id, key, document) VALUES (?, ?, ?)",
        .deleteEntry: "DELETE FROM entries WHERE index_id = ? AND key = ?",
        .deleteEntriesOfRow: "DELETE FROM entries WHERE index_id = ? AND document = ?",
    ]

    private static let entriesByKey = """
        SELECT key, document FROM entries WHERE index_id = ? AND key >= ? AND key < ? ORDER BY key
        """
}
