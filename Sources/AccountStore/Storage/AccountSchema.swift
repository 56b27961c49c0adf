// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The tables of the account database, in the order in which they came to be.
enum AccountSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 accounts and codes") { try $0.execute(sql: accountsAndCodes) }
        migrator.registerMigration("2 users of codes") { try $0.execute(sql: usersOfCodes) }
        return migrator
    }

    private static let usersOfCodes = "ALTER TABLE actionCode ADD COLUMN user TEXT"

    /// The tables whose rows are of a scope.
    static let tablesOfScopes = [
        "account", "identity", "passkey", "actionCode", "phoneCode", "phoneProof", "providerConfig",
    ]

    // An account is one text of JSON; columns and tables beside it are what it is found by. A tenant that was removed leaves
    // its name.
    private static let accountsAndCodes = """
        CREATE TABLE scope (
            id INTEGER PRIMARY KEY,
            project TEXT NOT NULL,
            tenant TEXT NOT NULL,
            settings TEXT,
            isRemoved INTEGER NOT NULL DEFAULT 0,
            UNIQUE (project, tenant)
        );
        CREATE TABLE account (
            scope INTEGER NOT NULL REFERENCES scope (id),
            id TEXT NOT NULL,
            email TEXT,
            initialEmail TEXT,
            phone TEXT,
            record TEXT NOT NULL,
            PRIMARY KEY (scope, id)
        ) WITHOUT ROWID;
        CREATE INDEX accountEmail ON account (scope, email);
        CREATE INDEX accountInitialEmail ON account (scope, initialEmail);
        CREATE INDEX accountPhone ON account (scope, phone);
        CREATE TABLE identity (
            number INTEGER PRIMARY KEY,
            scope INTEGER NOT NULL,
            provider TEXT NOT NULL,
            rawID TEXT NOT NULL,
            email TEXT,
            account TEXT NOT NULL,
            UNIQUE (scope, provider, rawID)
        );
        CREATE INDEX identityAccount ON identity (scope, account);
        CREATE INDEX identityEmail ON identity (scope, email);
        CREATE TABLE passkey (
            scope INTEGER NOT NULL,
            credential TEXT NOT NULL,
            account TEXT NOT NULL,
            PRIMARY KEY (scope, credential)
        ) WITHOUT ROWID;
        CREATE TABLE actionCode (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            scope INTEGER NOT NULL,
            code TEXT NOT NULL,
            purpose TEXT NOT NULL,
            email TEXT NOT NULL,
            newEmail TEXT,
            link TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            UNIQUE (scope, code)
        );
        CREATE TABLE phoneCode (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            scope INTEGER NOT NULL,
            session TEXT NOT NULL,
            phone TEXT NOT NULL,
            code TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            UNIQUE (scope, session)
        );
        CREATE TABLE phoneProof (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            scope INTEGER NOT NULL,
            proof TEXT NOT NULL,
            phone TEXT NOT NULL,
            createdAt INTEGER NOT NULL,
            UNIQUE (scope, proof)
        );
        CREATE TABLE providerConfig (
            scope INTEGER NOT NULL,
            collection TEXT NOT NULL,
            id TEXT NOT NULL,
            config TEXT NOT NULL,
            PRIMARY KEY (scope, collection, id)
        ) WITHOUT ROWID;
        """
}
