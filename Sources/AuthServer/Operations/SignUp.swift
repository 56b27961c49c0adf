// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// `accounts:signUp`: an anonymous user, one with e-mail and password, or whatever an administrator wants; with an ID
    /// token, a password for its user.
    func signUp() async throws -> JSONText {
        let settings = try enabledSettings()
        let now = context.clock.milliseconds
        return call.isPrivileged
            ? try createByAdministrator(settings, at: now)
            : try await signUpByUser(settings, at: now)
    }

    // MARK: By users

    private func signUpByUser(_ settings: AuthSettings, at now: Int64) async throws -> JSONText {
        try require(!body.has("localId"), "UNEXPECTED_PARAMETER : User ID")
        let (email, password) = (try body.text("email"), try body.filled("password"))
        if try body.filled("idToken") == nil, password == nil, email ?? "" == "" {
            // An empty address is a mistake, not a wish to be anonymous.
            try require(email == nil, "INVALID_EMAIL")
            return try await signUpAnonymously(settings, at: now)
        }
        return try await signUp(settings, email: email, password: password, at: now)
    }

    private func signUpAnonymously(_ settings: AuthSettings, at now: Int64) async throws -> JSONText {
        try require(settings.allowsAnonymousUsers && settings.allowsSignUp, "ADMIN_ONLY_OPERATION")
        return try await signIn(settings) { transaction in
            var account = Account(localID: try newLocalID(transaction))
            account.createdAt = now
            account.lastLoginAt = now
            account.tenantID = scope.tenant
            var plan = signUpPlan(account, former: nil, provider: ProviderName.anonymous)
            plan.asksFunctions = false
            return .signIn(plan)
        }
    }

    private func signUp(
        _ settings: AuthSettings,
        email: String?,
        password: String?,
        at now: Int64
    ) async throws -> JSONText {
        let email = try require(email.flatMap { $0.isEmpty ? nil : $0 }, "MISSING_EMAIL")
        let given = try require(password, "MISSING_PASSWORD")
        try require(settings.allowsPasswords, "OPERATION_NOT_ALLOWED")
        try require(isEmail(email), "INVALID_EMAIL")
        return try await signIn(settings) { transaction in
            let address = email.lowercased()
            let owner = try transaction.account(email: address)
            // A user of a provider may add a password for the address of its own.
            let former = owner == nil ? nil : try bearer(transaction)?.account
            try require(owner == nil || owner?.localID == former?.localID, "EMAIL_EXISTS")
            return try signUpStep(address, given, settings, at: now, transaction)
        }
    }

    private func signUpStep(
        _ address: String,
        _ password: String,
        _ settings: AuthSettings,
        at now: Int64,
        _ transaction: AccountTransaction
    ) throws -> SignInStep {
        try checkNewPassword(password, settings)
        let former = try bearer(transaction)?.account
        if former == nil { try require(settings.allowsSignUp, "ADMIN_ONLY_OPERATION") }
        var account = try former ?? Account(localID: newLocalID(transaction))
        if former == nil { account.createdAt = now }
        account.displayName = try body.filled("displayName")
        if account.email != address { account.isEmailVerified = false }
        account.email = address
        account.tenantID = scope.tenant
        setPassword(password, of: &account, revokingTokensAt: now)
        account.lastLoginAt = now
        try takeFactors(into: &account)
        var plan = signUpPlan(account, former: former, provider: ProviderName.password)
        plan.asksFunctions = former == nil
        return .signIn(plan)
    }

    private func signUpPlan(_ account: Account, former: Account?, provider: String) -> SignInPlan {
        SignInPlan(
            account: account,
            former: former,
            facts: SignInFacts(provider: provider),
            details: BlockingDetails("password"),
            answer: { Self.signUpAnswer($0) },
            takesSecondFactor: false
        )
    }

    private static func signUpAnswer(_ account: Account) -> [(String, JSONText?)] {
        [
            ("kind", "identitytoolkit#SignupNewUserResponse"), ("localId", .string(account.localID)),
            ("displayName", account.displayName.map(JSONText.string)), ("email", account.email.map(JSONText.string)),
        ]
    }

    /// Production's answer to administrators.
    private static func briefAnswer(_ account: Account) -> [(String, JSONText?)] {
        [
            ("kind", "identitytoolkit#SignupNewUserResponse"), ("localId", .string(account.localID)),
            ("email", .string(account.email ?? "")),
        ]
    }

    // MARK: By administrators

    private func createByAdministrator(_ settings: AuthSettings, at now: Int64) throws -> JSONText {
        try writing { transaction in
            let id = try body.filled("localId")
            if try body.filled("idToken") != nil { try require(id == nil, "UNEXPECTED_PARAMETER : User ID") }
            if let id { try require(try transaction.account(id: id) == nil, "DUPLICATE_LOCAL_ID") }
            let former = try bearer(transaction)?.account
            var account = try former ?? Account(localID: id ?? newLocalID(transaction))
            if former == nil { account.createdAt = now }
            account.tenantID = scope.tenant
            try takeProfile(into: &account, transaction)
            if let password = try body.filled("password") {
                try checkNewPassword(password, settings)
                setPassword(password, of: &account, revokingTokensAt: now)
            }
            try takeFactors(into: &account)
            if context.profile.isProduction { account.completeAsInProduction() }
            account.updateProviders()
            try transaction.save(account, replacing: former)
            return .object(
                compacting: context.profile.isProduction ? Self.briefAnswer(account) : Self.signUpAnswer(account)
            )
        }
    }

    private func takeProfile(into account: inout Account, _ transaction: AccountTransaction) throws {
        account.displayName = try body.filled("displayName")
        account.photoURL = try body.filled("photoUrl")
        account.isEmailVerified = try body.isTrue("emailVerified")
        if let number = try body.filled("phoneNumber") {
            account.phoneNumber = try checkedPhoneNumber(number)
            try require(try transaction.account(phoneNumber: number) == nil, "PHONE_NUMBER_EXISTS")
        }
        if try body.isTrue("disabled") { account.isDisabled = true }
        if let email = try body.filled("email") {
            try require(isEmail(email), "INVALID_EMAIL")
            account.email = email.lowercased()
            try require(try transaction.account(email: email.lowercased()) == nil, "EMAIL_EXISTS")
        }
    }

    private func takeFactors(into account: inout Account) throws(AuthFailure) {
        guard let factors = try body.objects("mfaInfo") else { return }
        account.secondFactors = try secondFactors(from: factors, makesIDs: true)
    }

    // MARK: Passwords

    /// Sets a password, in the form that the official emulator keeps and its user interface reads.
    func setPassword(_ password: String, of account: inout Account, revokingTokensAt revocation: Int64? = nil) {
        let salt = "fakeSalt" + context.random.id(20)
        account.password.salt = salt
        account.password.hash = PlainPassword.hash(password, salt: salt)
        account.password.updatedAt = context.clock.milliseconds
        account.password.hashing = nil
        if let revocation { account.validSince = revocation / 1_000 }
    }
}

extension Account {
    /// Sets what production says of every user that an administrator creates.
    fileprivate mutating func completeAsInProduction() {
        isDisabled = isDisabled ?? false
        if email == nil { isEmailVerified = nil }
        validSince = validSince ?? createdAt.map { $0 / 1_000 }
    }
}

extension StoredPassword {
    /// Whether a password is this one.
    func matches(_ password: String) -> Bool {
        guard let hash else { return false }
        if let hashing { return hashing.verifies(hash, of: password, salt: salt) }
        return salt.map { PlainPassword.hash(password, salt: $0) == hash } ?? false
    }
}
