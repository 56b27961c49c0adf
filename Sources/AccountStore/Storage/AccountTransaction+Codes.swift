// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

extension AccountTransaction {
    /// The codes of a kind that are kept; the oldest go first.
    private static let codeCountMax = 10_000

    // MARK: Action codes

    /// Keeps a code that was sent by e-mail.
    package func add(_ code: ActionCode) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO actionCode (scope, code, purpose, email, newEmail, link, createdAt, user)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            number, code.code, code.purpose.rawValue, code.email, code.newEmail, code.link, code.createdAt, code.userID,
        ])
        try dropOldest(of: "actionCode")
    }

    /// Returns a code that was sent by e-mail and not used.
    package func actionCode(_ code: String) throws -> ActionCode? {
        let statement = try database.cachedStatement(sql: Self.actionCodes + " AND code = ?")
        return try Row.fetchOne(statement, arguments: [number, code]).flatMap(ActionCode.init(row:))
    }

    /// All codes that were sent by e-mail and not used, the oldest first.
    package func actionCodes() throws -> [ActionCode] {
        let statement = try database.cachedStatement(sql: Self.actionCodes + " ORDER BY number")
        return try Row.fetchAll(statement, arguments: [number]).compactMap(ActionCode.init(row:))
    }

    /// Forgets a code that was sent by e-mail.
    package func remove(actionCode code: String) throws {
        try database.cachedStatement(sql: "DELETE FROM actionCode WHERE scope = ? AND code = ?")
            .execute(arguments: [number, code])
    }

    /// Forgets the codes of a purpose that were sent to an address.
    package func removeActionCodes(for purpose: ActionCode.Purpose, email: String) throws {
        try database.cachedStatement(sql: "DELETE FROM actionCode WHERE scope = ? AND purpose = ? AND email = ?")
            .execute(arguments: [number, purpose.rawValue, email])
    }

    private static let actionCodes =
        "SELECT code, purpose, email, newEmail, link, createdAt, user FROM actionCode WHERE scope = ?"

    // MARK: Phones

    /// Keeps a code that was sent to a phone.
    package func add(_ code: PhoneCode) throws {
        try database.cachedStatement(
            sql: "INSERT INTO phoneCode (scope, session, phone, code, createdAt) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [number, code.session, code.phoneNumber, code.code, code.createdAt])
        try dropOldest(of: "phoneCode")
    }

    /// Returns the code of a session that was not used.
    package func phoneCode(session: String) throws -> PhoneCode? {
        let statement = try database.cachedStatement(sql: Self.phoneCodes + " AND session = ?")
        return try Row.fetchOne(statement, arguments: [number, session]).map(PhoneCode.init(row:))
    }

    /// All codes that were sent to phones and not used, the oldest first.
    package func phoneCodes() throws -> [PhoneCode] {
        let statement = try database.cachedStatement(sql: Self.phoneCodes + " ORDER BY number")
        return try Row.fetchAll(statement, arguments: [number]).map(PhoneCode.init(row:))
    }

    /// Forgets the code of a session.
    package func remove(phoneCode session: String) throws {
        try database.cachedStatement(sql: "DELETE FROM phoneCode WHERE scope = ? AND session = ?")
            .execute(arguments: [number, session])
    }

    private static let phoneCodes = "SELECT phone, session, code, createdAt FROM phoneCode WHERE scope = ?"

    /// Keeps a proof that a user has a phone.
    package func add(phoneProof proof: String, of phoneNumber: String, at milliseconds: Int64) throws {
        try database.cachedStatement(
            sql: "INSERT INTO phoneProof (scope, proof, phone, createdAt) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [number, proof, phoneNumber, milliseconds])
        try dropOldest(of: "phoneProof")
    }

    /// Whether a proof is that of a phone.
    package func isProof(_ proof: String, of phoneNumber: String) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM phoneProof WHERE scope = ? AND proof = ? AND phone = ?"
        )
        return try Row.fetchOne(statement, arguments: [number, proof, phoneNumber]) != nil
    }

    private func dropOldest(of table: String) throws {
        try database.cachedStatement(sql: "DELETE FROM \(table) WHERE number <= ?")
            .execute(arguments: [database.lastInsertedRowID - Int64(Self.codeCountMax)])
    }
}

extension ActionCode {
    fileprivate init?(row: Row) {
        guard let purpose = Purpose(rawValue: row[1]) else { return nil }
        self.init(
            row[0],
            for: purpose,
            email: row[2],
            userID: row[6],
            newEmail: row[3],
            link: row[4],
            createdAt: row[5]
        )
    }
}

extension PhoneCode {
    fileprivate init(row: Row) {
        self.init(phoneNumber: row[0], session: row[1], code: row[2], createdAt: row[3])
    }
}
