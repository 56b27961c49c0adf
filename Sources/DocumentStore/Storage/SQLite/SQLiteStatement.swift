// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// A prepared statement: bind, step, read the columns of the row it is at.
final class SQLiteStatement {
    private let handle: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteError(code, on: connection) }
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    // A failing bind is a wrong index, our bug, or a lack of memory, which the next step reports as well.

    func bind(_ number: Int64, at index: Int32) {
        sqlite3_bind_int64(handle, index, number)
    }

    func bind(_ bytes: [UInt8], at index: Int32) {
        // A null pointer would bind NULL.
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(handle, index, 0)
            return
        }
        _ = bytes.withUnsafeBytes { content in
            sqlite3_bind_blob64(handle, index, content.baseAddress, UInt64(content.count), Self.copied)
        }
    }

    /// Binds bytes without a copy: they must stay where they are until the statement is reset.
    func bind(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) {
        precondition(!bytes.isEmpty, "keys are never empty")
        sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    }

    func bind(_ text: String, at index: Int32) {
        sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), Self.copied)
    }

    /// Has SQLite keep a copy; keys are short, and a copy costs less than a bound on their lives.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Goes on to the next row; false when there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw SQLiteError(code, on: sqlite3_db_handle(handle))
        }
    }

    /// Steps through a statement that has no rows.
    func run() throws {
        while try step() {}
    }

    func reset() {
        sqlite3_reset(handle)
    }

    func integer(at column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func isNull(at column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func text(at column: Int32) -> String {
        withBytes(at: column) { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(at column: Int32) -> [UInt8] {
        withBytes(at: column) { Array($0) }
    }

    /// Hands out the bytes in place; they go with the next step.
    func withBytes<Result>(at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = sqlite3_column_blob(handle, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
