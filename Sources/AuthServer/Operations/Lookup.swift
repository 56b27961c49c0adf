// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// `accounts:lookup`: the user of an ID token, or those that an administrator names.
    func lookup() throws -> JSONText {
        _ = try enabledSettings()
        if let ids = try idsAlone() { return lookupAnswer(try context.store.accounts(ids, in: scope)) }
        let accounts = try reading { transaction in
            guard call.isPrivileged else {
                return [try require(try bearer(transaction), "MISSING_ID_TOKEN").account]
            }
            try requireSelection()
            return try namedAccounts(transaction)
        }
        return lookupAnswer(accounts)
    }

    /// The ids of an administrator's lookup that names nothing else, each once: every verification of a token makes one.
    private func idsAlone() throws -> [String]? {
        guard call.isPrivileged, body.has("localId"), body.members.count == 1 else { return nil }
        var known: Set<String> = []
        let ids = try body.texts("localId").filter { known.insert($0).inserted }
        return ids.isEmpty ? nil : ids
    }

    /// Answers a lookup of users who are known; `nil` where one has to be read.
    func lookupFromMemory() throws -> JSONText? {
        guard call.route.method == .lookup, let settings = context.settings.knownSettings(of: scope),
            !settings.isDisabled, let ids = try idsAlone()
        else { return nil }
        var accounts: [Account] = []
        for id in ids {
            guard let account = context.store.knownAccount(id, in: scope) else { return nil }
            accounts.append(account)
        }
        return lookupAnswer(accounts)
    }

    private func lookupAnswer(_ accounts: [Account]) -> JSONText {
        .object(compacting: [
            ("kind", "identitytoolkit#GetAccountInfoResponse"),
            // The Admin SDK for Node.js takes an empty list for a user (firebase-admin-node#1078).
            ("users", accounts.isEmpty ? nil : .array(accounts.map { $0.shown(by: context.profile).json })),
        ])
    }

    private func namedAccounts(_ transaction: AccountTransaction) throws -> [Account] {
        var found: [Account?] = try body.texts("localId").map(transaction.account(id:))
        found += try body.texts("email").flatMap { try transaction.accounts(email: $0.lowercased()) }
        found += try body.texts("phoneNumber").map(transaction.account(phoneNumber:))
        found += try body.texts("initialEmail").map { try transaction.account(initialEmail: $0.lowercased()) }
        for identity in try body.objects("federatedUserId") ?? [] {
            guard let provider = try identity.filled("providerId"), let id = try identity.filled("rawId") else {
                continue
            }
            found.append(try transaction.account(provider: provider, rawID: id))
        }
        var ids: Set<String> = []
        return found.compactMap(\.self).filter { ids.insert($0.localID).inserted }
    }

    /// Throws for an administrator's lookup that names no user, which production takes for one by ID token.
    private func requireSelection() throws(AuthFailure) {
        let lists = ["localId", "email", "phoneNumber", "initialEmail", "federatedUserId"]
        let isSelecting = lists.contains { body[$0]?.array?.isEmpty == false }
        try require(isSelecting || !context.profile.isProduction, "MISSING_ID_TOKEN")
    }

    /// `accounts:delete`.
    func delete() throws -> JSONText {
        let settings = try enabledSettings()
        try context.store.deleting(scope) { transaction in
            let account: Account
            if call.isPrivileged {
                let id = try require(try body.filled("localId"), "MISSING_LOCAL_ID")
                account = try require(try transaction.account(id: id), "USER_NOT_FOUND")
            } else {
                account = try require(try bearer(transaction), "MISSING_ID_TOKEN").account
                try requireRecentSignIn(transaction)
                try require(settings.allowsDeletion, "ADMIN_ONLY_OPERATION")
            }
            try transaction.remove(account)
        }
        return .object([("kind", "identitytoolkit#DeleteAccountResponse")])
    }

    /// `accounts:createAuthUri`: how the owner of an address can sign in, or where with a provider.
    func createAuthUri() throws -> JSONText {
        let settings = try enabledSettings()
        let session = try body.filled("sessionId") ?? context.random.id(27)
        if let provider = try body.filled("providerId") {
            guard context.profile.isProduction else {
                throw AuthFailure.notImplemented("Sign-in with IDP is not yet supported.")
            }
            return try authURI(of: provider, session: session)
        }
        let identifier = try require(try body.filled("identifier"), "MISSING_IDENTIFIER")
        let uri = try require(try body.filled("continueUri"), "MISSING_CONTINUE_URI")
        try require(AccountRules.isEmail(identifier), "INVALID_IDENTIFIER")
        try require(AbsoluteURL.isOne(uri), "INVALID_CONTINUE_URI")
        let kind: (String, JSONText) = ("kind", "identitytoolkit#CreateAuthUriResponse")
        guard !settings.hidesEmails else { return .object([kind, ("sessionId", .string(session))]) }
        let users = try reading { try $0.accounts(emailAnywhere: identifier.lowercased()) }
        let user = settings.allowsDuplicateEmails ? users.first { $0.email != nil } : users.first
        let methods = user.map { $0.signInMethods(withProviders: !settings.allowsDuplicateEmails) }
        return .object([
            kind, ("registered", .boolean(user != nil)),
            ("allProviders", .array((methods?.providers ?? []).map(JSONText.string))),
            ("sessionId", .string(session)),
            ("signinMethods", .array((methods?.methods ?? []).map(JSONText.string))),
        ])
    }
}

extension Account {
    /// The providers of a user, and the ways to sign in with them.
    fileprivate func signInMethods(withProviders: Bool) -> (providers: [String], methods: [String]) {
        let own = (password.hash == nil ? [] : ["password"]) + (usesEmailLink == true ? ["emailLink"] : [])
        guard withProviders else { return (own.isEmpty ? [] : ["password"], own) }
        let ids = (providers ?? []).map(\.providerID).filter { $0 != ProviderName.phone }
        return (ids, ids.flatMap { $0 == ProviderName.password ? own : [$0] })
    }
}
