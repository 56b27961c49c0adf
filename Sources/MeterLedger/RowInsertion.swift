// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite

/// Binds values to a statement one column after the other, and runs it.
///
/// Bound past GRDB's arguments, which would take longer than the insertion itself.
struct RowInsertion {
    /// Has SQLite copy what is bound.
    private static var copying: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private let statement: Statement
    private var column: Int32 = 0
    // Most columns seldom change from one row to the next, and a statement keeps what is bound to it.
    /// The last number of each column; an inner `nil` is NULL.
    private var bound: [Int64??]

    /// `statement` has a parameter for each column.
    init(_ statement: Statement) {
        self.statement = statement
        bound = Array(repeating: nil, count: Int(sqlite3_bind_parameter_count(statement.sqliteStatement)) + 1)
    }

    /// Sets the next column; `nil` is NULL.
    mutating func append(_ number: Int64?) {
        column += 1
        if let former = bound[Int(column)], former == number { return }
        bound[Int(column)] = .some(number)
        if let number {
            sqlite3_bind_int64(statement.sqliteStatement, column, number)
        } else {
            sqlite3_bind_null(statement.sqliteStatement, column)
        }
    }

    /// Sets the next columns.
    mutating func append(_ numbers: some Sequence<Int64>) {
        for number in numbers { append(number) }
    }

    /// Sets the next column to bytes; none are NULL.
    mutating func append(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return append(nil) }
        column += 1
        bound[Int(column)] = nil
        let code = bytes.withUnsafeBytes { bytes in
            let count = Int32(bytes.count)
            return sqlite3_bind_blob(statement.sqliteStatement, column, bytes.baseAddress, count, Self.copying)
        }
        guard code == SQLITE_OK else { throw DatabaseError(code, of: statement) }
    }

    /// Runs the statement, and begins with the first column again.
    mutating func run() throws {
        column = 0
        defer { sqlite3_reset(statement.sqliteStatement) }
        let code = sqlite3_step(statement.sqliteStatement)
        guard code == SQLITE_DONE else { throw DatabaseError(code, of: statement) }
    }
}
