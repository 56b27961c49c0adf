// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// The statements on texts, which records and rollups hold the ids of.
struct TextTable {
    /// The id of the empty text.
    static let emptyID: Int64 = 1

    let database: Database

    /// Returns the id of a text, which is stored if it is new.
    func id(of text: String) throws -> Int64 {
        if let id = try knownID(of: text) { return id }
        let insert = try database.cachedStatement(sql: "INSERT INTO text (value) VALUES (?)")
        try insert.execute(arguments: [Data(text.utf8)])
        return database.lastInsertedRowID
    }

    /// Returns the id of a text; `nil` for one that is not stored.
    func knownID(of text: String) throws -> Int64? {
        // SQLite's binding of no bytes is NULL.
        guard !text.isEmpty else { return Self.emptyID }
        let select = try database.cachedStatement(sql: "SELECT id FROM text WHERE value = ?")
        return try Int64.fetchOne(select, arguments: [Data(text.utf8)])
    }

    /// Returns the text of an id.
    func text(of id: Int64) throws -> String {
        let rows = NumberRows(try database.cachedStatement(sql: "SELECT value FROM text WHERE id = ?"), arguments: [id])
        guard try rows.next() else { throw UsageLedgerError.unreadable("text") }
        return rows.text(0)
    }
}
