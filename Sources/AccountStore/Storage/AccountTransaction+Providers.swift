// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
package import JSON

extension AccountTransaction {
    /// Returns an identity provider that was set up.
    package func provider(_ id: String, in collection: String) throws -> JSONValue? {
        let statement = try database.cachedStatement(
            sql: "SELECT config FROM providerConfig WHERE scope = ? AND collection = ? AND id = ?"
        )
        let text = try String.fetchOne(statement, arguments: [number, collection, id])
        return try text.map { try JSONValue(parsing: Array($0.utf8)) }
    }

    /// The identity providers that were set up, by their ids, after one.
    package func providers(
        in collection: String,
        after id: String?,
        limit: Int
    ) throws -> [(id: String, config: JSONValue)] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, config FROM providerConfig WHERE scope = ? AND collection = ? AND id > ? ORDER BY id LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: [number, collection, id ?? "", limit]).map { row in
            let text: String = row[1]
            return (row[0], try JSONValue(parsing: Array(text.utf8)))
        }
    }

    /// Hands out all identity providers that were set up, one at a time.
    package func forEachProvider(
        _ body: (_ collection: String, _ id: String, _ config: JSONValue) throws -> Void
    ) throws {
        let sql = "SELECT collection, id, config FROM providerConfig WHERE scope = ? ORDER BY collection, id"
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [number])
        while let row = try rows.next() {
            let text: String = row[2]
            try body(row[0], row[1], try JSONValue(parsing: Array(text.utf8)))
        }
    }

    /// Stores an identity provider, in the place of one with the id.
    package func save(_ config: JSONValue, provider id: String, in collection: String) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO providerConfig (scope, collection, id, config) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [number, collection, id, String(decoding: config.encoded, as: UTF8.self)])
    }

    /// Removes an identity provider.
    package func remove(provider id: String, in collection: String) throws {
        try database.cachedStatement(
            sql: "DELETE FROM providerConfig WHERE scope = ? AND collection = ? AND id = ?"
        ).execute(arguments: [number, collection, id])
    }
}
