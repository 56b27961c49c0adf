// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteObjectStore {
    /// A text that the server keeps under a kind and a name, such as an HMAC key.
    package struct ServerRecord: Hashable, Sendable {
        /// The name, unique within its kind.
        package var id: String
        /// The bytes that the server wrote.
        package var text: String

        /// Creates a record.
        package init(id: String, text: String) {
            self.id = id
            self.text = text
        }
    }

    /// Returns all the records of a kind by name.
    package func records(_ kind: String) throws -> [ServerRecord] {
        try reading { database in
            let statement = try database.cachedStatement(sql: "SELECT id, text FROM record WHERE kind = ? ORDER BY id")
            return try Row.fetchAll(statement, arguments: [kind]).map { ServerRecord(id: $0[0], text: $0[1]) }
        }
    }

    /// Returns the first records of a kind whose names begin with a prefix and come after another name.
    package func records(
        _ kind: String,
        prefix: String,
        after last: String,
        count: Int
    ) throws -> [ServerRecord] {
        try reading { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT id, text FROM record
                    WHERE kind = ? AND id > ? AND id >= ? AND substr(id, 1, length(?)) = ? ORDER BY id LIMIT ?
                    """
            )
            let arguments: StatementArguments = [kind, last, prefix, prefix, prefix, count]
            return try Row.fetchAll(statement, arguments: arguments).map { ServerRecord(id: $0[0], text: $0[1]) }
        }
    }

    /// Returns the record of a name; `nil` when there is none.
    package func record(_ id: String, kind: String) throws -> ServerRecord? {
        try reading { database in
            let statement = try database.cachedStatement(sql: "SELECT text FROM record WHERE kind = ? AND id = ?")
            return try String.fetchOne(statement, arguments: [kind, id]).map { ServerRecord(id: id, text: $0) }
        }
    }

    /// Removes a record; returns it, `nil` when there is none of this name.
    package func removeRecord(_ id: String, kind: String) throws -> ServerRecord? {
        try writing(.deleting) { database in
            let statement = try database.cachedStatement(
                sql: "DELETE FROM record WHERE kind = ? AND id = ? RETURNING text"
            )
            return try String.fetchOne(statement, arguments: [kind, id]).map { ServerRecord(id: id, text: $0) }
        }
    }

    /// Stores a record, or replaces the one of its name; one that is part of a deletion also on a full disk.
    package func put(_ record: ServerRecord, kind: String, for purpose: Purpose = .storing) throws {
        try writing(purpose) { database in
            let statement = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO record (kind, id, text) VALUES (?, ?, ?)"
            )
            try statement.execute(arguments: [kind, record.id, record.text])
        }
    }
}
