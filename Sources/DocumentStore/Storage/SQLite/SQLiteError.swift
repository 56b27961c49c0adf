// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// SQLite's error message.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's words; they name tables and files, never values.
    let reason: String

    var isDiskFull: Bool { code & 0xFF == SQLITE_FULL }

    init(_ code: Int32, on connection: OpaquePointer?) {
        self.code = code
        self.reason = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }
}
