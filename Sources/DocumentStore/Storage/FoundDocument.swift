// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A document that a row or an index entry leads to; read only if asked for, before the next one is found.
enum FoundDocument {
    case stored(StoredColumns)
    /// In a row that an index entry names.
    case indexed(Int64, ReadSession)

    var row: Int64 {
        switch self {
        case .stored(let columns): columns.row
        case .indexed(let row, _): row
        }
    }

    func load() throws -> Document {
        switch self {
        case .stored(let columns): try columns.document
        case .indexed(let row, let session): try session.document(inRow: row)
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
