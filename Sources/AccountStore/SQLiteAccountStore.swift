// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DataFiles
import GRDB
package import JSON
import NIOConcurrencyHelpers

/// The users of all projects and their tenants, their codes and the projects' settings, in SQLite.
///
/// Every method is synchronous and may be called from any thread; the caller chooses one that may wait for a disk. When a
/// write returns, it is durable; when it throws, nothing changed.
package final class SQLiteAccountStore: Sendable {
    let database: LazyDatabase
    let reserve: SpaceReserve
    /// The numbers of scopes that are known to be there.
    private let scopeNumbers = NIOLockedValueBox<[AccountScope: Int64]>([:])

    let known = KnownAccounts()
    private let observer = NIOLockedValueBox<(@Sendable (AccountEvent) -> Void)?>(nil)

    private static let scopeCountMax = 10_000

    /// Creates a store; its database is opened, and made if need be, by the first call, or by ``open()``.
    ///
    /// - Parameters:
    ///   - path: The file of the database.
    ///   - isDurable: Whether acknowledged writes survive the death of the machine, and not only that of the process.
    ///   - reserve: Space for what deletions take on a full disk.
    package init(path: String, isDurable: Bool, reserve: SpaceReserve = .none) {
        self.reserve = reserve
        database = LazyDatabase(path: path, isDurable: isDurable)
    }

    /// Opens the database.
    ///
    /// - Throws: ``AccountStoreError``, as every later call then does.
    package func open() throws { _ = try database.pool() }

    /// Closes the database; what is called afterwards fails.
    package func close() throws { try Self.translating { try database.close() } }

    // MARK: Transactions

    /// Reads one consistent state; readers never wait.
    ///
    /// - Parameters:
    ///   - scope: Whose users; a project that was never mentioned has none, and a tenant is there when it was created.
    ///   - body: Reads.
    /// - Returns: What the body returned.
    /// - Throws: The body's error, or ``AccountStoreError``.
    package func reading<Value>(_ scope: AccountScope, _ body: (AccountTransaction) throws -> Value) throws -> Value {
        let number = try number(of: scope)
        let changes = AccountChanges(scope)
        return try Self.translating {
            try database.pool().read { try body(AccountTransaction($0, changes, number: number)) }
        }
    }

    /// Runs a transaction, whose writers wait for each other.
    ///
    /// - Parameters:
    ///   - scope: Whose users.
    ///   - body: Reads and writes; nothing is changed where it throws.
    /// - Returns: What the body returned.
    /// - Throws: The body's error, or ``AccountStoreError``.
    package func writing<Value>(_ scope: AccountScope, _ body: (AccountTransaction) throws -> Value) throws -> Value {
        guard !reserve.isShort else { throw AccountStoreError.diskFull }
        let number = try number(of: scope)
        let changes = AccountChanges(scope)
        return try Self.translating {
            try transaction(changes) { try body(AccountTransaction($0, changes, number: number)) }
        }
    }

    /// Runs a transaction; before the next one begins, its changes are known and reported.
    private func transaction<Value>(_ changes: AccountChanges, _ body: (Database) throws -> Value) throws -> Value {
        try database.pool().writeWithoutTransaction { database in
            var value: Value?
            try database.inTransaction {
                value = try body(database)
                return .commit
            }
            guard let value else { preconditionFailure("a committed transaction has a value") }
            known.forget(changes)
            report(changes)
            return value
        }
    }

    /// Reports users that come and go from now on, once their change is committed.
    ///
    /// - Parameter observer: Takes an event; must not wait.
    package func observe(_ observer: @escaping @Sendable (AccountEvent) -> Void) {
        self.observer.withLockedValue { $0 = observer }
    }

    private func report(_ changes: AccountChanges) {
        guard !changes.events.isEmpty, let observer = observer.withLockedValue({ $0 }) else { return }
        for event in changes.events { observer(event) }
    }

    /// As ``writing(_:_:)``, of a body that sets space free, for which some is kept; it may be run twice.
    package func deleting<Value>(_ scope: AccountScope, _ body: (AccountTransaction) throws -> Value) throws -> Value {
        let number = try number(of: scope)
        let changes = AccountChanges(scope)
        return try reserve.deleting(isFault: Self.isOfDisk, tidy: shortenLog) {
            try Self.translating {
                try transaction(changes) { database in
                    changes.begin()
                    return try body(AccountTransaction(database, changes, number: number))
                }
            }
        }
    }

    // MARK: Users that are known

    /// Returns a user that was read lately and not changed since, without a look at the disk.
    package func knownAccount(_ id: String, in scope: AccountScope) -> Account? { known[id, in: scope] }

    /// Returns users by their ids, who are known from then on.
    package func accounts(_ ids: [String], in scope: AccountScope) throws -> [Account] {
        let mark = known.mark
        let accounts = try reading(scope) { transaction in try ids.compactMap(transaction.account(id:)) }
        for account in accounts { known.keep(account, in: scope, readAt: mark) }
        return accounts
    }

    private func deleting<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try reserve.deleting(isFault: Self.isOfDisk, tidy: shortenLog) {
            try Self.translating { try database.pool().write(body) }
        }
    }

    private static func isOfDisk(_ error: any Error) -> Bool { (error as? AccountStoreError)?.isOfDisk ?? false }

    /// Copies the log into the database and gives its space back, if no reader needs it.
    private func shortenLog() {
        _ = try? database.pool().writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    // MARK: Scopes

    /// The settings of a project or tenant; `nil` where none were made.
    package func settings(of scope: AccountScope) throws -> JSONValue? {
        try reading(scope) { try $0.settings() }
    }

    /// Whether a tenant was created.
    package func hasTenant(_ scope: AccountScope) throws -> Bool {
        if scopeNumbers.withLockedValue({ $0[scope] != nil }) { return true }
        return try Self.translating { try database.pool().read { try Self.number(of: scope, in: $0) != nil } }
    }

    /// The tenants of a project by their ids, after one.
    package func tenants(of project: String, after id: String?) throws -> [(id: String, settings: JSONValue)] {
        let sql = """
            SELECT tenant, settings FROM scope WHERE project = ? AND tenant > ? AND NOT isRemoved ORDER BY tenant
            """
        return try Self.translating {
            try database.pool().read { database in
                try Row.fetchAll(database, sql: sql, arguments: [project, id ?? ""]).map { row in
                    (row[0], try JSONValue(parsing: Array((row[1] ?? "{}").utf8)))
                }
            }
        }
    }

    /// Removes a project or tenant with all its users and codes; nothing happens where it is not there.
    ///
    /// Its name is kept, so that it differs from one that never was: see ``isRemoved(_:)``.
    package func remove(_ scope: AccountScope) throws {
        defer { forgetAll(in: scope) }
        try deleting { database in
            guard let number = try Self.number(of: scope, in: database) else { return }
            for table in AccountSchema.tablesOfScopes {
                try database.execute(sql: "DELETE FROM \(table) WHERE scope = ?", arguments: [number])
            }
            try database.execute(
                sql: "UPDATE scope SET settings = NULL, isRemoved = 1 WHERE id = ?",
                arguments: [number]
            )
        }
    }

    /// Whether a project or tenant was removed.
    package func isRemoved(_ scope: AccountScope) throws -> Bool {
        try Self.translating {
            try database.pool().read { database in
                let sql = "SELECT isRemoved FROM scope WHERE project = ? AND tenant = ?"
                return try Bool.fetchOne(database, sql: sql, arguments: [scope.project, scope.tenant ?? ""]) ?? false
            }
        }
    }

    /// Removes everything.
    package func removeAll() throws {
        defer { forgetAll(in: AccountScope(project: "")) }
        try deleting { database in
            for table in AccountSchema.tablesOfScopes + ["scope"] {
                try database.execute(sql: "DELETE FROM \(table)")
            }
        }
        scopeNumbers.withLockedValue { $0 = [:] }
    }

    private func forgetAll(in scope: AccountScope) {
        let changes = AccountChanges(scope)
        changes.addAll()
        known.forget(changes)
    }

    private func number(of scope: AccountScope) throws -> Int64 {
        if let number = scopeNumbers.withLockedValue({ $0[scope] }) { return number }
        let number = try Self.translating {
            try database.pool().read { try Self.number(of: scope, in: $0) }
                ?? database.pool().write { database in
                    try database.execute(
                        sql: "INSERT OR IGNORE INTO scope (project, tenant) VALUES (?, ?)",
                        arguments: [scope.project, scope.tenant ?? ""]
                    )
                    guard let number = try Self.number(of: scope, in: database) else {
                        throw AccountStoreError.recordUnreadable
                    }
                    return number
                }
        }
        scopeNumbers.withLockedValue { numbers in
            if numbers.count >= Self.scopeCountMax { numbers = [:] }
            numbers[scope] = number
        }
        return number
    }

    static func number(of scope: AccountScope, in database: Database) throws -> Int64? {
        let statement = try database.cachedStatement(sql: "SELECT id FROM scope WHERE project = ? AND tenant = ?")
        return try Int64.fetchOne(statement, arguments: [scope.project, scope.tenant ?? ""])
    }

    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw AccountStoreError(error)
        }
    }
}
