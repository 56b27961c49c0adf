// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB
package import JSON

/// The users of a scope, as one transaction of the database sees and changes them.
package struct AccountTransaction {
    let database: Database
    package let scope: AccountScope
    let number: Int64
    let changes: AccountChanges

    /// Creates one of a scope; without it, of that of the changes.
    init(_ database: Database, _ changes: AccountChanges, of scope: AccountScope? = nil, number: Int64) {
        self.scope = scope ?? changes.scope
        (self.database, self.number, self.changes) = (database, number, changes)
    }

    // MARK: Settings

    /// The settings of the project or tenant; `nil` where none were made.
    package func settings() throws -> JSONValue? {
        let statement = try database.cachedStatement(sql: "SELECT settings FROM scope WHERE id = ?")
        let text = try Row.fetchOne(statement, arguments: [number])?[0] as String?
        return try text.map { try JSONValue(parsing: Array($0.utf8)) }
    }

    /// Replaces the settings.
    package func change(settings: JSONValue) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE scope SET settings = ?, isRemoved = 0 WHERE id = ?"
        )
        try statement.execute(arguments: [String(decoding: settings.encoded, as: UTF8.self), number])
    }

    // MARK: Accounts

    // Indexes are named: without statistics SQLite would rather walk over all users of a scope, by the primary key.

    /// Returns the user with an id.
    package func account(id: String) throws -> Account? {
        try fetch("SELECT record FROM account WHERE scope = ? AND id = ?", id)
    }

    /// Returns the user with an e-mail address, in lower case; the oldest where an import has brought several.
    package func account(email: String) throws -> Account? { try accounts(email: email).first }

    /// Returns the users with an e-mail address, in lower case, the oldest first.
    package func accounts(email: String) throws -> [Account] {
        let sql = "SELECT record FROM account INDEXED BY accountEmail WHERE scope = ? AND email = ?"
        return try fetch(sql, arguments: [number, email]).sorted { $0.createdAt ?? 0 < $1.createdAt ?? 0 }
    }

    /// Returns the user whose address was another one at first.
    package func account(initialEmail: String) throws -> Account? {
        let sql =
            "SELECT record FROM account INDEXED BY accountInitialEmail WHERE scope = ? AND initialEmail = ?"
        return try fetch(sql, initialEmail)
    }

    /// Returns the user with a phone number.
    package func account(phoneNumber: String) throws -> Account? {
        try fetch("SELECT record FROM account INDEXED BY accountPhone WHERE scope = ? AND phone = ?", phoneNumber)
    }

    /// Returns the user with a passkey.
    package func account(passkey credential: String) throws -> Account? {
        try fetch(
            """
            SELECT record FROM passkey JOIN account ON account.scope = passkey.scope AND account.id = passkey.account
            WHERE passkey.scope = ? AND credential = ?
            """,
            credential
        )
    }

    /// Returns the user with an identity.
    package func account(provider: String, rawID: String) throws -> Account? {
        let sql = """
            SELECT record FROM identity JOIN account ON account.scope = identity.scope AND account.id = identity.account
            WHERE identity.scope = ? AND provider = ? AND rawID = ?
            """
        return try fetch(sql, arguments: [number, provider, rawID]).first
    }

    /// Returns the users with an e-mail address, and those with it at a provider.
    package func accounts(emailAnywhere email: String) throws -> [Account] {
        let own = try account(email: email)
        let sql = """
            SELECT DISTINCT record FROM identity INDEXED BY identityEmail
            JOIN account ON account.scope = identity.scope AND account.id = identity.account
            WHERE identity.scope = ? AND identity.email = ? ORDER BY identity.number
            """
        let others = try fetch(sql, arguments: [number, email]).filter { $0.localID != own?.localID }
        return (own.map { [$0] } ?? []) + others
    }

    /// The identities at a provider, in the order in which they were linked.
    package func identities(at provider: String) throws -> [LinkedProvider] {
        let sql = """
            SELECT record FROM identity JOIN account ON account.scope = identity.scope AND account.id = identity.account
            WHERE identity.scope = ? AND provider = ? ORDER BY identity.number LIMIT \(Self.listedCountMax)
            """
        return try fetch(sql, arguments: [number, provider]).flatMap { account in
            (account.providers ?? []).filter { $0.providerID == provider }
        }
    }

    /// A page that lists identities has up to this many.
    private static let listedCountMax = 1_000

    /// The users by their ids, after one.
    package func accounts(after id: String?, limit: Int, isDescending: Bool = false) throws -> [Account] {
        let sql = """
            SELECT record FROM account WHERE scope = ? AND id > ? ORDER BY id \(isDescending ? "DESC" : "") LIMIT ?
            """
        return try fetch(sql, arguments: [number, id ?? "", limit])
    }

    /// Hands out all users by their ids, one at a time.
    package func forEachAccount(_ body: (Account) throws -> Void) throws {
        let sql = "SELECT record FROM account WHERE scope = ? ORDER BY id"
        let records = try String.fetchCursor(database, sql: sql, arguments: [number])
        while let record = try records.next() { try body(Account(record: record)) }
    }

    /// The number of users.
    package func accountCount() throws -> Int {
        let statement = try database.cachedStatement(sql: "SELECT count(*) FROM account WHERE scope = ?")
        return try Int.fetchOne(statement, arguments: [number]) ?? 0
    }

    private func fetch(_ sql: String, _ key: String) throws -> Account? {
        let statement = try database.cachedStatement(sql: sql)
        return try String.fetchOne(statement, arguments: [number, key]).map(Account.init(record:))
    }

    private func fetch(_ sql: String, arguments: StatementArguments) throws -> [Account] {
        let statement = try database.cachedStatement(sql: sql)
        return try String.fetchAll(statement, arguments: arguments).map(Account.init(record:))
    }
}
