// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AccountRecord {
    /// The user, with members of the official emulator and of production's exports; others are left alone.
    ///
    /// Times that the official emulator sets to that of the import are kept: users stay signed in.
    ///
    /// - Parameters:
    ///   - scope: The project or tenant to which the user goes.
    ///   - now: Milliseconds since the Unix epoch, for what has no time.
    /// - Returns: The user.
    /// - Throws: The first member that cannot be used.
    func account(in scope: AccountScope, at now: Int64) throws(Fault) -> Account {
        guard let id = try text("localId") else { throw Fault(reason: "it has no localId") }
        var account = Account(localID: id)
        if let tenant = try text("tenantId"), tenant != scope.tenant {
            throw Fault(reason: "its tenantId is not that of the file")
        }
        account.tenantID = scope.tenant
        (account.email, account.initialEmail) = (try email("email"), try email("initialEmail"))
        account.isEmailVerified = try boolean("emailVerified")
        account.displayName = try text("displayName")
        account.photoURL = try text("photoUrl")
        account.screenName = try text("screenName")
        account.phoneNumber = try phoneNumber("phoneNumber")
        account.isDisabled = try boolean("disabled")
        account.usesEmailLink = try boolean("emailLinkSignin")
        account.usesCustomToken = try boolean("customAuth")
        account.customAttributes = try claims()
        account.password = try password(at: now)
        account.validSince = try time("validSince", upTo: Self.timeMax / 1_000)
        account.createdAt = try time("createdAt") ?? now
        account.lastLoginAt = try time("lastLoginAt")
        account.lastRefreshAt = try moment("lastRefreshAt")
        account.providers = try identities()
        account.updateProviders()
        account.secondFactors = try factors(at: now)
        account.passkeys = try passkeys()
        try takeOwnMembers(into: &account)
        return account
    }

    private func email(_ key: String) throws(Fault) -> String? {
        guard let text = try text(key) else { return nil }
        guard AccountForm.isEmail(text) else { throw Fault(reason: "its \(key) is not an e-mail address") }
        return text.lowercased()
    }

    private func phoneNumber(_ key: String) throws(Fault) -> String? {
        guard let text = try text(key) else { return nil }
        guard AccountForm.isPhoneNumber(text) else { throw Fault(reason: "its \(key) does not begin with +") }
        return text
    }

    private func claims() throws(Fault) -> String? {
        guard let text = try text("customAttributes") else { return nil }
        guard case .object? = try? JSONValue(parsing: Array(text.utf8)) else {
            throw Fault(reason: "its customAttributes are not the text of a JSON object")
        }
        return text
    }

    private func password(at now: Int64) throws(Fault) -> StoredPassword {
        var password = StoredPassword()
        password.hash = try text("passwordHash")
        password.salt = try text("salt")
        if password.hash == nil, let plain = try text("rawPassword") {
            let salt = password.salt ?? "fakeSalt" + Self.randomID(20)
            (password.hash, password.salt) = (PlainPassword.hash(plain, salt: salt), salt)
        }
        password.updatedAt = try time("passwordUpdatedAt") ?? (password.hash == nil ? nil : now)
        return password
    }

    private func identities() throws(Fault) -> [LinkedProvider]? {
        guard let records = try records("providerUserInfo") else { return nil }
        var identities: [LinkedProvider] = []
        for record in records {
            guard let identity = LinkedProvider(json: record.json) else {
                throw Fault(reason: "one of its providerUserInfo has no providerId or no rawId")
            }
            guard !identities.contains(where: { $0.providerID == identity.providerID }) else {
                throw Fault(reason: "two of its providerUserInfo are of one provider")
            }
            identities.append(identity)
        }
        return identities
    }

    private func factors(at now: Int64) throws(Fault) -> [SecondFactor]? {
        guard let records = try records(AccountMember.factors) else { return nil }
        var factors: [SecondFactor] = []
        for record in records {
            guard let number = try record.phoneNumber("phoneInfo") else {
                throw Fault(reason: "one of its mfaInfo has no phoneInfo")
            }
            let id = try record.text("mfaEnrollmentId") ?? Self.randomID(28)
            guard !factors.contains(where: { $0.id == id }) else {
                throw Fault(reason: "two of its mfaInfo have one mfaEnrollmentId")
            }
            factors.append(
                SecondFactor(
                    id: id,
                    displayName: try record.text("displayName"),
                    enrolledAt: try record.text("enrolledAt") ?? AccountTime.text(milliseconds: now),
                    phoneNumber: number
                )
            )
        }
        return factors
    }

    private func passkeys() throws(Fault) -> [Passkey]? {
        guard let records = try records("passkeyInfo") else { return nil }
        var passkeys: [Passkey] = []
        for record in records {
            guard let passkey = Passkey(json: record.json), !passkey.credentialID.isEmpty else {
                throw Fault(reason: "one of its passkeyInfo has no credentialId")
            }
            passkeys.append(passkey)
        }
        return passkeys
    }
}
