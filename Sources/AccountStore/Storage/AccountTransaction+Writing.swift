// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension AccountTransaction {
    /// Stores a user.
    ///
    /// - Parameters:
    ///   - account: The user as it is to be.
    ///   - old: The user as it was; `nil` for a new one.
    ///   - isImported: Whether an import brings the user, which is not the event of its creation.
    /// - Throws: The error of the database.
    package func save(_ account: Account, replacing old: Account?, isImported: Bool = false) throws {
        changes.add(account.localID)
        if old == nil, !isImported { changes.add(.created, account) }
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO account (scope, id, email, initialEmail, phone, record)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            number, account.localID, account.email, account.initialEmail, account.phoneNumber, account.record,
        ])
        try saveIdentities(of: account, replacing: old)
        try savePasskeys(of: account, replacing: old)
    }

    /// Removes a user.
    package func remove(_ account: Account) throws {
        changes.add(account.localID)
        changes.add(.deleted, account)
        for sql in [
            "DELETE FROM account WHERE scope = ? AND id = ?",
            "DELETE FROM identity INDEXED BY identityAccount WHERE scope = ? AND account = ?",
        ] {
            try database.cachedStatement(sql: sql).execute(arguments: [number, account.localID])
        }
        try removePasskeys(account.passkeys ?? [])
    }

    /// Removes all users; codes that were sent stay.
    package func removeAllAccounts() throws {
        changes.addAll()
        for table in ["account", "identity", "passkey"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE scope = ?", arguments: [number])
        }
    }

    private func saveIdentities(of account: Account, replacing old: Account?) throws {
        let (identities, former) = (account.providers ?? [], old?.providers ?? [])
        for identity in former where !identities.contains(where: { $0.isFoundAs(identity) }) {
            try database.cachedStatement(
                sql: "DELETE FROM identity WHERE scope = ? AND provider = ? AND rawID = ? AND account = ?"
            ).execute(arguments: [number, identity.providerID, identity.rawID, account.localID])
        }
        for identity in identities where !former.contains(where: { $0.isFoundAs(identity) }) {
            try database.cachedStatement(
                sql: """
                    INSERT INTO identity (scope, provider, rawID, email, account) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (scope, provider, rawID) DO UPDATE SET email = excluded.email, account = excluded.account
                    """
            ).execute(arguments: [number, identity.providerID, identity.rawID, identity.email, account.localID])
        }
    }

    private func savePasskeys(of account: Account, replacing old: Account?) throws {
        guard account.passkeys != old?.passkeys else { return }
        try removePasskeys(old?.passkeys ?? [])
        for passkey in account.passkeys ?? [] {
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO passkey (scope, credential, account) VALUES (?, ?, ?)"
            ).execute(arguments: [number, passkey.credentialID, account.localID])
        }
    }

    private func removePasskeys(_ passkeys: [Passkey]) throws {
        for passkey in passkeys {
            try database.cachedStatement(sql: "DELETE FROM passkey WHERE scope = ? AND credential = ?")
                .execute(arguments: [number, passkey.credentialID])
        }
    }
}

extension LinkedProvider {
    /// Whether both have one row in the table of identities.
    fileprivate func isFoundAs(_ other: Self) -> Bool {
        providerID == other.providerID && rawID == other.rawID && email == other.email
    }
}
