// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles
import GRDB

/// A project and its tenants, as one transaction of the database sees and changes them.
package struct ProjectTransaction {
    let database: Database
    let project: String
    let changes: AccountChanges

    /// The users of a tenant, or of the project itself; `nil` where it was never mentioned.
    package func users(tenant: String?) throws -> AccountTransaction? {
        let scope = AccountScope(project: project, tenant: tenant)
        return try SQLiteAccountStore.number(of: scope, in: database).map { transaction(scope, number: $0) }
    }

    /// The users of a tenant, or of the project itself, of which a note is made if need be.
    package func ensuredUsers(tenant: String?) throws -> AccountTransaction {
        try database.execute(
            sql: "INSERT OR IGNORE INTO scope (project, tenant) VALUES (?, ?)",
            arguments: [project, tenant ?? ""]
        )
        guard let users = try users(tenant: tenant) else { throw AccountStoreError.recordUnreadable }
        return users
    }

    /// Hands out the tenants by their ids, one at a time, without those that were removed.
    package func forEachTenant(_ body: (_ id: String, _ users: AccountTransaction) throws -> Void) throws {
        let sql = """
            SELECT tenant, id FROM scope WHERE project = ? AND tenant > '' AND NOT isRemoved ORDER BY tenant
            """
        let rows = try Row.fetchCursor(database, sql: sql, arguments: [project])
        while let row = try rows.next() {
            let id: String = row[0]
            try body(id, transaction(AccountScope(project: project, tenant: id), number: row[1]))
        }
    }

    /// The other projects that have users.
    package func otherProjects() throws -> [String] {
        let sql = """
            SELECT DISTINCT project FROM scope WHERE project <> ? AND NOT isRemoved
                AND EXISTS (SELECT 1 FROM account WHERE account.scope = scope.id) ORDER BY project
            """
        return try String.fetchAll(database, sql: sql, arguments: [project])
    }

    private func transaction(_ scope: AccountScope, number: Int64) -> AccountTransaction {
        AccountTransaction(database, changes, of: scope, number: number)
    }
}

extension SQLiteAccountStore {
    /// Reads one consistent state of a project with all its tenants.
    package func reading<Value>(project: String, _ body: (ProjectTransaction) throws -> Value) throws -> Value {
        let changes = AccountChanges(AccountScope(project: project))
        return try Self.translating {
            try database.pool().read {
                try body(ProjectTransaction(database: $0, project: project, changes: changes))
            }
        }
    }

    /// Runs a transaction of a project with all its tenants; nothing is changed where it throws.
    package func writing<Value>(project: String, _ body: (ProjectTransaction) throws -> Value) throws -> Value {
        guard !reserve.isShort else { throw AccountStoreError.diskFull }
        let changes = AccountChanges(AccountScope(project: project))
        changes.addAll()
        defer { known.forget(changes) }
        return try Self.translating {
            try database.pool().write {
                try body(ProjectTransaction(database: $0, project: project, changes: changes))
            }
        }
    }
}
