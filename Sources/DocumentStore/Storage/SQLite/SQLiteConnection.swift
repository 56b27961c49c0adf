// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// A connection to a database file, with its prepared statements.
///
/// Sendable without a lock of its own: `Connections` hands each one to a single thread at a time, which is all that
/// SQLite's multi-thread mode asks for.
final class SQLiteConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    /// By `StoredStatement`; one that is in use is not among them, so that a query within a query has its own.
    private var idle = [[SQLiteStatement]](repeating: [], count: StoredStatement.allCases.count)

    /// One process has the file to itself, so that its connections lock one another out without the kernel's help,
    /// which otherwise every read asks twice (sqlite.org/vfs.html, 2026-11).
    private static let fileSystem = "unix-excl"

    /// How long to wait for another process, such as one that is about to end.
    private static let busyMilliseconds: Int32 = 5_000

    /// Opens or creates a file; `:memory:` for a database of this connection alone.
    init(path: String) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, Self.fileSystem)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteError(code, on: handle)
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
    }

    deinit {
        idle = []
        sqlite3_close_v2(handle)
    }

    /// Runs statements that have no parameters.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
    }

    /// Copies the log into the file and gives its space back, if no reader needs it now.
    func shortenLog() throws {
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, Self.busyMilliseconds) }
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Lends a prepared statement, ready to be bound.
    func with<Result>(
        _ statement: StoredStatement,
        _ body: (SQLiteStatement) throws -> Result
    ) throws -> Result {
        let prepared = try idle[statement.rawValue].popLast() ?? SQLiteStatement(statement.sql, on: handle)
        defer {
            prepared.reset()
            idle[statement.rawValue].append(prepared)
        }
        return try body(prepared)
    }

    /// Runs a statement for its effect.
    func run(_ statement: StoredStatement, _ bind: (SQLiteStatement) -> Void = { _ in }) throws {
        try with(statement) { prepared in
            bind(prepared)
            try prepared.run()
        }
    }

    /// The first row's value; `nil` without any row.
    func first<Result>(
        _ statement: StoredStatement,
        _ bind: (SQLiteStatement) -> Void = { _ in },
        _ read: (SQLiteStatement) throws -> Result
    ) throws -> Result? {
        try with(statement) { prepared in
            bind(prepared)
            return try prepared.step() ? try read(prepared) : nil
        }
    }

    /// Prepares a statement for a single use, such as a setting or a test's question.
    func prepare(_ sql: String) throws -> SQLiteStatement {
        try SQLiteStatement(sql, on: handle)
    }

    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// How many rows the last statement inserted, updated or deleted.
    var changedRowCount: Int { Int(sqlite3_changes(handle)) }

    /// Whether a transaction is open: some errors end it by themselves.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
