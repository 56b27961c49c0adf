// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// `accounts:update`: changes a user, named by ID token or by a code that was sent, or by an administrator.
    func update() throws -> JSONText {
        let settings = try enabledSettings()
        for field in ["provider", "upgradeToFederatedLogin"] where body.has(field) {
            throw AuthFailure.notImplemented("\(field) is not implemented yet.")
        }
        let hasToken = try body.filled("idToken") != nil
        // In production the token rules.
        let code = context.profile.isProduction && hasToken ? nil : try body.filled("oobCode")
        if call.isPrivileged {
            try require(try body.filled("localId") != nil, "MISSING_LOCAL_ID")
        } else {
            try require(hasToken || code != nil, "INVALID_REQ_TYPE : Unsupported request parameters.")
            if context.profile.isProduction, hasToken { _ = try reading(bearer) }
            try require(!body.has("customAttributes"), "INSUFFICIENT_PERMISSION")
        }
        if let claims = try body.filled("customAttributes") { try checkClaims(claims) }
        let deletions = try body.texts("deleteAttribute")
        for name in deletions where name == "PROVIDER" || name == "RAW_USER_INFO" {
            throw AuthFailure.notImplemented("deleteAttribute: \(name)")
        }
        if body.members["mfa"]?["enrollments"] == .null {
            throw AuthFailure.payload("/mfa/enrollments must be array")
        }
        guard let code else {
            return try writing { transaction in
                var change = try changeByRequest(settings, deletions, transaction)
                return try finish(&change, transaction)
            }
        }
        // A code is used even where its change is refused.
        let outcome = try writing { transaction in
            Result {
                var change = try apply(code, transaction)
                return try finish(&change, transaction)
            }
        }
        return try outcome.get()
    }

    /// A change of a user that is being made.
    struct AccountChange {
        let former: Account
        var account: Account
        /// How the user has signed in; `nil` where no new tokens are wanted.
        var provider: String?
        var newEmail: String?
        var isRevoking = false
        var isChangingEmail = false

        init(_ account: Account) { (former, self.account) = (account, account) }
    }

    private func finish(_ change: inout AccountChange, _ transaction: AccountTransaction) throws -> JSONText {
        let linked = try linkedIdentity(of: change.account, transaction).map { [$0] } ?? []
        change.account.updateProviders(adding: linked, removing: Set(try body.texts("deleteProvider")))
        var tokens: [(String, JSONText)] = []
        // Production gives administrators none.
        let givesTokens = !(context.profile.isProduction && call.isPrivileged)
        if change.isRevoking, givesTokens, let provider = change.provider {
            tokens = self.tokens(&change.account, SignInFacts(provider: provider), isBrief: try wantsBriefToken())
        }
        try transaction.save(change.account, replacing: change.former)
        if change.isChangingEmail, change.provider != ProviderName.anonymous, let email = change.account.initialEmail {
            context.onMessage(.mail(try keepCode(for: .recoverEmail, email: email, transaction)))
        }
        let account = change.account.shown(by: context.profile)
        let answer: [(String, JSONText?)] = [
            ("kind", "identitytoolkit#SetAccountInfoResponse"), ("localId", .string(account.localID)),
            ("emailVerified", account.isEmailVerified.map(JSONText.boolean)),
            ("providerUserInfo", account.providers.map { .array($0.map(\.json)) }),
            ("email", account.email.map(JSONText.string)), ("displayName", account.displayName.map(JSONText.string)),
            ("photoUrl", account.photoURL.map(JSONText.string)), ("newEmail", change.newEmail.map(JSONText.string)),
            ("passwordHash", account.password.hash.map(JSONText.string)),
        ]
        return .object(compacting: answer + tokens.map { ($0.0, $0.1) })
    }

    // MARK: By a request

    private func changeByRequest(
        _ settings: AuthSettings,
        _ deletions: [String],
        _ transaction: AccountTransaction
    ) throws -> AccountChange {
        if context.profile.isProduction, settings.passwordPolicy.isEnforced, let password = try body.filled("password")
        {
            // Before the user is looked for.
            try checkNewPassword(password, settings)
        }
        var change: AccountChange
        if let bearer = try bearer(transaction) {
            change = AccountChange(bearer.account)
            change.provider = bearer.provider
            try require(!body.has("disableUser"), "OPERATION_NOT_ALLOWED")
        } else {
            let id = try require(try body.filled("localId"), "MISSING_LOCAL_ID")
            change = AccountChange(try require(try transaction.account(id: id), "USER_NOT_FOUND"))
        }
        if body.has("email") || body.has("password") { try requireRecentSignIn(transaction) }
        try changeEmail(&change, settings, transaction)
        if let password = try body.filled("password") {
            try checkChangedPassword(password, settings)
            setPassword(password, of: &change.account)
            change.provider = ProviderName.password
            change.isRevoking = true
        }
        if body.has("validSince") { change.isRevoking = true }
        if change.isRevoking { change.account.validSince = context.clock.seconds }
        if let factors = try body.object("mfa") {
            let enrollments = try factors.objects("enrollments") ?? []
            change.account.secondFactors =
                enrollments.isEmpty
                ? nil : try secondFactors(from: enrollments, makesIDs: false, keeping: change.former.secondFactors)
        }
        try takeProfile(&change, transaction)
        try delete(deletions, from: &change.account)
        return change
    }

    private func changeEmail(
        _ change: inout AccountChange,
        _ settings: AuthSettings,
        _ transaction: AccountTransaction
    ) throws {
        guard let given = try body.filled("email") else { return }
        try require(isEmail(given), "INVALID_EMAIL")
        let email = given.lowercased()
        // To an administrator production neither repeats it, nor doubts it.
        let isTrusted = context.profile.isProduction && call.isPrivileged
        change.newEmail = isTrusted ? nil : email
        guard email != change.former.email else { return }
        if context.profile.isProduction, !call.isPrivileged {
            try require(
                !settings.hidesEmails,
                "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."
            )
        }
        try require(try transaction.account(email: email) == nil, "EMAIL_EXISTS")
        change.account.email = email
        change.isRevoking = true
        guard !isTrusted else { return }
        change.account.isEmailVerified = false
        change.isChangingEmail = true
        if change.provider != ProviderName.anonymous, change.account.initialEmail == nil {
            change.account.initialEmail = change.former.email
        }
    }

    private func takeProfile(_ change: inout AccountChange, _ transaction: AccountTransaction) throws {
        if let name = try body.text("displayName") {
            try checkDisplayName(name)
            change.account.displayName = name
        }
        if let url = try body.text("photoUrl") { change.account.photoURL = url }
        if !context.profile.isProduction {
            // Null removes, as web pages ask for it.
            if body.members["displayName"] == .null { change.account.displayName = nil }
            if body.members["photoUrl"] == .null { change.account.photoURL = nil }
        }
        guard call.isPrivileged else { return }
        if let isDisabled = try body.boolean("disableUser") { change.account.isDisabled = isDisabled }
        if let number = try body.filled("phoneNumber"), number != change.former.phoneNumber {
            change.account.phoneNumber = try checkedPhoneNumber(number)
            try require(try transaction.account(phoneNumber: number) == nil, "PHONE_NUMBER_EXISTS")
        }
        if let isVerified = try body.boolean("emailVerified") { change.account.isEmailVerified = isVerified }
        if let claims = try body.text("customAttributes") { change.account.customAttributes = claims }
        if let time = try body.integer("createdAt") { change.account.createdAt = time }
        if let time = try body.integer("lastLoginAt") { change.account.lastLoginAt = time }
        if let time = try body.integer("validSince") { change.account.validSince = time }
    }

    private func delete(_ attributes: [String], from account: inout Account) throws {
        for (index, attribute) in attributes.enumerated() {
            switch attribute {
            case "DISPLAY_NAME": account.displayName = nil
            case "PHOTO_URL": account.photoURL = nil
            case "PASSWORD": (account.password.hash, account.password.salt) = (nil, nil)
            case "EMAIL": account.removeEmail(keepsVerification: context.profile.isProduction)
            default:
                guard context.profile.isProduction else { continue }
                let type = "type.googleapis.com/google.cloud.identitytoolkit.v1.SetAccountInfoRequest.UserAttributeName"
                throw AuthFailure.invalidValue(.string(attribute), type: type, at: "delete_attribute[\(index)]")
            }
        }
        let providers = try body.texts("deleteProvider")
        if providers.contains(ProviderName.password) {
            if !context.profile.isProduction { account.removeEmail(keepsVerification: false) }
            (account.password.hash, account.password.salt) = (nil, nil)
        }
        if providers.contains(ProviderName.phone) { account.phoneNumber = nil }
        let passkeys = try body.texts("deletePasskey")
        if body.has("deletePasskey") {
            account.passkeys = (account.passkeys ?? []).filter { !passkeys.contains($0.credentialID) }
        }
    }
}

extension Account {
    fileprivate mutating func removeEmail(keepsVerification: Bool) {
        email = nil
        if !keepsVerification { isEmailVerified = nil }
        usesEmailLink = nil
    }
}
