// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB

/// Texts and their ids.
struct TextTable {
    /// The id of the empty text.
    static let emptyID: Int64 = 1

    let database: Database

    /// Returns the id of a text, which is stored if it is new.
    func id(of text: String) throws -> Int64 {
        // SQLite's binding of no bytes is NULL.
        guard !text.isEmpty else { return Self.emptyID }
        let bytes = Data(text.utf8)
        let select = try database.cachedStatement(sql: "SELECT id FROM text WHERE value = ?")
        if let id = try Int64.fetchOne(select, arguments: [bytes]) { return id }
        let insert = try database.cachedStatement(sql: "INSERT INTO text (value) VALUES (?)")
        try insert.execute(arguments: [bytes])
        return database.lastInsertedRowID
    }

    func text(of id: Int64) throws -> String {
        let select = try database.cachedStatement(sql: "SELECT value FROM text WHERE id = ?")
        guard let value = try Data.fetchOne(select, arguments: [id]) else { throw UsageLedgerError.unreadable("text") }
        return String(decoding: value, as: UTF8.self)
    }
}
