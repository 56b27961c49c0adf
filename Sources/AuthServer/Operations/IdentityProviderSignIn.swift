// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// `accounts:signInWithIdp`: with the token of an identity provider, which may be JSON, or with SAML's answer as JSON.
    func signInWithIdp() async throws -> JSONText {
        let settings = try enabledSettings()
        if try body.isTrue("returnRefreshToken") {
            throw AuthFailure.notImplemented("returnRefreshToken is not implemented yet.")
        }
        if try body.filled("pendingIdToken") != nil {
            throw AuthFailure.notImplemented("pendingIdToken is not implemented yet.")
        }
        let assertion = try providerAssertion()
        return try await signIn(settings) { transaction in
            let linking = try bearer(transaction)?.account
            let owner = try transaction.account(provider: assertion.providerID, rawID: assertion.rawID)
            do {
                return try step(assertion, settings, linking: linking, owner: owner, transaction)
            } catch let failure as AuthFailure {
                guard try body.isTrue("returnIdpCredential"), failure.status == 400 else { throw failure }
                return .answer(
                    .object(compacting: assertion.answer + [("errorMessage", .string(failure.message))])
                )
            }
        }
    }

    /// Decides which user an assertion is of.
    private func step(
        _ assertion: ProviderAssertion,
        _ settings: AuthSettings,
        linking: Account?,
        owner: Account?,
        _ transaction: AccountTransaction
    ) throws -> SignInStep {
        let oneAccountPerEmail = !settings.allowsDuplicateEmails
        if let linking {
            try require(owner == nil, "FEDERATED_USER_ID_ALREADY_LINKED")
            return try .signIn(plan(linking: linking, assertion, oneAccountPerEmail, transaction))
        }
        if let owner { return .signIn(plan(of: owner, becoming: owner, assertion)) }
        if oneAccountPerEmail, let email = assertion.email, let match = try transaction.account(email: email) {
            return step(matching: match, assertion)
        }
        // A user who signs in again is not to become another one; the Web SDK takes `USER_NOT_FOUND` for an expired token.
        try require(try body.boolean("autoCreate") ?? true, "EMAIL_NOT_FOUND")
        try require(settings.allowsSignUp, "ADMIN_ONLY_OPERATION")
        var account = try Account(localID: newLocalID(transaction))
        account.createdAt = context.clock.milliseconds
        account.lastLoginAt = account.createdAt
        account.takeProfile(of: assertion)
        // Where addresses need not be unique, that of the provider is not the user's.
        if oneAccountPerEmail, let email = assertion.email {
            account.email = email
            account.isEmailVerified = assertion.isEmailVerified
        }
        return .signIn(plan(of: nil, becoming: account, assertion))
    }

    private func plan(
        linking former: Account,
        _ assertion: ProviderAssertion,
        _ oneAccountPerEmail: Bool,
        _ transaction: AccountTransaction
    ) throws -> SignInPlan {
        var account = former
        if oneAccountPerEmail, let email = assertion.email {
            let match = try transaction.account(email: email)
            try require(match == nil || match?.localID == former.localID, "EMAIL_EXISTS")
            if former.email == nil {
                account.email = email
                account.isEmailVerified = assertion.isEmailVerified
            }
        }
        if context.profile.isProduction {
            let isLinked = former.providers?.contains { $0.providerID == assertion.providerID } == true
            try require(!isLinked, "PROVIDER_ALREADY_LINKED")
        }
        if let email = assertion.email, assertion.isEmailVerified, account.email == email {
            account.isEmailVerified = true
        }
        return plan(of: former, becoming: account, assertion)
    }

    /// A user who has the address of the assertion, but not the identity.
    private func step(matching former: Account, _ assertion: ProviderAssertion) -> SignInStep {
        var assertion = assertion
        guard assertion.isEmailVerified else {
            let others = (former.providers ?? []).map(\.providerID)
                .filter { $0 != ProviderName.password && $0 != ProviderName.phone }
            let isLeftOut = others.isEmpty && context.profile.isProduction
            assertion.notes = [
                ("needConfirmation", true), ("localId", .string(former.localID)),
                ("verifiedProvider", isLeftOut ? nil : .array(others.map(JSONText.string))),
            ]
            return .answer(.object(compacting: assertion.answer))
        }
        if former.providers?.contains(where: { $0.providerID == assertion.providerID }) == true {
            // The provider has given the address to another of its users.
            assertion.notes = [("emailRecycled", true)]
        }
        var account = former
        if former.isEmailVerified != true {
            // The address was registered by someone who did not show that it was theirs.
            account.password.hash = nil
            account.phoneNumber = nil
            account.validSince = context.clock.seconds
            account.providers = []
        }
        account.takeProfile(of: assertion)
        account.isEmailVerified = true
        return .signIn(plan(of: former, becoming: account, assertion))
    }

    private func plan(of former: Account?, becoming account: Account, _ assertion: ProviderAssertion) -> SignInPlan {
        var account = account
        account.tenantID = scope.tenant ?? account.tenantID
        // In production an identity keeps the profile that it was linked with.
        let isKept = context.profile.isProduction && former?.has(assertion.identity) == true
        account.updateProviders(adding: isKept ? [] : [assertion.identity])
        var facts = SignInFacts(provider: assertion.providerID)
        facts.attributes = assertion.attributes
        var details = BlockingDetails(assertion.providerID)
        details.rawUserInfo = assertion.rawUserInfo
        details.signInAttributes = assertion.attributes.map { String(decoding: $0.encoded, as: UTF8.self) }
        (details.oauthIDToken, details.oauthAccessToken) = (assertion.idToken, assertion.accessToken)
        let tenant = scope.tenant
        return SignInPlan(
            account: account,
            former: former,
            facts: facts,
            details: details,
            answer: { account in
                var answered = assertion
                if let email = assertion.email, account.email == email {
                    answered.isEmailVerified = account.isEmailVerified ?? false
                }
                return answered.answer + [
                    ("localId", .string(account.localID)), ("isNewUser", former == nil ? true : nil),
                    ("tenantId", tenant.map(JSONText.string)),
                ]
            }
        )
    }
}

extension Account {
    /// Whether an identity is linked, with whatever profile.
    fileprivate func has(_ identity: LinkedProvider) -> Bool {
        providers?.contains { $0.providerID == identity.providerID && $0.rawID == identity.rawID } == true
    }

    /// Takes the profile over, also what the provider does not say.
    fileprivate mutating func takeProfile(of assertion: ProviderAssertion) {
        displayName = assertion.displayName
        photoURL = assertion.photoURL
        screenName = assertion.screenName
    }
}
