// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

/// Reads candidates in the order of an index.
struct IndexScan {
    let db: Database
    let databaseID: DatabaseID
    /// The row of the database.
    let database: Int64
    /// The row of the scope; `nil` to scan the documents themselves, by name.
    let scope: Int64?
    let direction: Query.Direction

    /// An index entry with its document.
    struct Entry {
        let key: [UInt8]
        let candidate: Candidate
    }

    /// Visits the entries of a range until the visitor returns false.
    func visit(_ range: AccessPath.Range, _ visitor: (Entry) throws -> Bool) throws -> Bool {
        let rows = try cursor(over: range)
        while let row = try rows.next() {
            guard try visitor(try entry(from: row)) else { return false }
        }
        return true
    }

    private func cursor(over range: AccessPath.Range) throws -> RowCursor {
        let lower = Data(range.interval.lower.bytes)
        let upper = Data(range.interval.upper.bytes)
        let order = direction == .ascending ? "ASC" : "DESC"
        guard let scope else {
            let statement = try db.cachedStatement(sql: Self.documentsByName + order)
            return try Row.fetchCursor(statement, arguments: [database, lower, upper])
        }
        let statement = try db.cachedStatement(sql: Self.documentsByEntry + order)
        return try Row.fetchCursor(statement, arguments: [scope, Data(range.field.key.bytes), lower, upper])
    }

    private func entry(from row: Row) throws -> Entry {
        let path = try PathKeyDecoder.decode(try row.bytes(atIndex: 2))
        let document = Document(
            path: path,
            fields: try FieldsDecoder.decode(try row.bytes(atIndex: 5)),
            createTime: Timestamp(microseconds: row[3]),
            updateTime: Timestamp(microseconds: row[4])
        )
        let candidate = Candidate(
            row: row[1],
            reference: DocumentReference(database: databaseID, path: path),
            document: document
        )
        return Entry(key: try row.bytes(atIndex: 0), candidate: candidate)
    }

    private static let documentsByName = """
        SELECT path, id, path, create_time, update_time, data FROM documents
        WHERE database = ? AND path >= ? AND path < ? ORDER BY path\u{20}
        """

    /// The cross join keeps SQLite from reading the documents first.
    private static let documentsByEntry = """
        SELECT e.key, d.id, d.path, d.create_time, d.update_time, d.data
        FROM index_entries AS e CROSS JOIN documents AS d ON d.id = e.document
        WHERE e.scope = ? AND e.field = ? AND e.key >= ? AND e.key < ? ORDER BY e.key\u{20}
        """
}
