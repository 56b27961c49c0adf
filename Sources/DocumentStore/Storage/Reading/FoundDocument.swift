// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A document that a row or an index entry leads to; read only if asked for, before the next one is found.
enum FoundDocument {
    case stored(StoredColumns)
    /// In a row that the index entry names at which the statement is.
    case indexed(SQLiteStatement, StoreSnapshot)

    var row: Int64 {
        switch self {
        case .stored(let columns): columns.row
        case .indexed(let entry, _): entry.integer(at: 1)
        }
    }

    /// The place among the entries or names that are gone through.
    var key: OrderedKey {
        switch self {
        case .stored(let columns): OrderedKey(columns.statement.bytes(at: 1))
        case .indexed(let entry, _): OrderedKey(entry.bytes(at: 0))
        }
    }

    func load() throws -> Document {
        switch self {
        case .stored(let columns): return try columns.document
        case .indexed(let entry, let snapshot):
            guard let document = try snapshot.document(inRow: entry.integer(at: 1)) else {
                throw FirestoreError.corrupted("an index entry without its document")
            }
            return document
        }
    }
}

/// The row a statement is at that selects rows, names, times and fields of a collection.
struct StoredColumns {
    let statement: SQLiteStatement
    let collection: CollectionPath

    var row: Int64 { statement.integer(at: 0) }
    var document: Document {
        get throws { statement.document(at: try statement.path(in: collection, column: 1), column: 2) }
    }
}

/// A document together with its row.
struct StoredDocument {
    /// `nil` for one that has not been written to the file yet.
    let row: Int64?
    let document: Document
}
