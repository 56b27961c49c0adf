// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// The rows of a query that takes and gives numbers, read past GRDB's rows, which would take longer than finding them.
final class NumberRows {
    private let statement: Statement

    /// Begins before the first row.
    init(_ statement: Statement, arguments: [Int64]) {
        self.statement = statement
        for (index, argument) in arguments.enumerated() {
            sqlite3_bind_int64(statement.sqliteStatement, Int32(index + 1), argument)
        }
    }

    deinit { sqlite3_reset(statement.sqliteStatement) }

    /// Goes to the next row; `false` when there is none.
    func next() throws -> Bool {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, of: statement)
        }
    }

    /// A number of the present row; 0 for NULL.
    subscript(column: Int) -> Int64 { sqlite3_column_int64(statement.sqliteStatement, Int32(column)) }

    /// Bytes of the present row, as text.
    func text(_ column: Int) -> String {
        let count = Int(sqlite3_column_bytes(statement.sqliteStatement, Int32(column)))
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement.sqliteStatement, Int32(column)),
            count: count
        )
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension DatabaseError {
    /// SQLite's message for a statement that failed.
    init(_ code: Int32, of statement: Statement) {
        let message = sqlite3_errmsg(sqlite3_db_handle(statement.sqliteStatement)).map { String(cString: $0) }
        self.init(resultCode: ResultCode(rawValue: code), message: message)
    }
}
