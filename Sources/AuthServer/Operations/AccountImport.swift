// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// `accounts:batchCreate`: users as an export has them.
extension AuthOperations {
    func batchCreate() throws -> JSONText {
        if call.route.project == nil {
            try require(try body.filled("targetProjectId") != nil, "INSUFFICIENT_PERMISSION")
        }
        let settings = try enabledSettings()
        let users = try body.objects("users") ?? []
        try require(!users.isEmpty, "MISSING_USER_ACCOUNT")
        let isChecked = try body.isTrue("sanityCheck")
        if isChecked { try checkSanity(of: users, oneAccountPerEmail: !settings.allowsDuplicateEmails) }
        // Production replaces users whether it is asked to or not.
        let isOverwriting = try context.profile.isProduction || body.isTrue("allowOverwrite")
        if !isOverwriting { try checkIDs(of: users) }
        let upload = AccountUpload(
            scope: scope,
            milliseconds: context.clock.milliseconds,
            hashing: try hashing(),
            isOverwriting: isOverwriting,
            refusesDuplicateEmails: isChecked && !settings.allowsDuplicateEmails,
            takesDuplicateEmails: context.profile.isProduction && !isChecked,
            profile: context.profile,
            random: context.random
        )
        let errors = try writing { transaction in
            var errors: [JSONText] = []
            for (index, user) in users.enumerated() {
                do {
                    try upload.add(user, transaction)
                } catch let failure as AuthFailure where failure.status == 400 {
                    errors.append(
                        .object([
                            ("index", .integer(Int64(index))), ("message", .string(failure.message.inProse)),
                        ])
                    )
                }
            }
            return errors
        }
        let list: JSONText? = context.profile.isProduction && errors.isEmpty ? nil : .array(errors)
        return .object(compacting: [("kind", "identitytoolkit#UploadAccountResponse"), ("error", list)])
    }

    private func checkSanity(of users: [AuthBody], oneAccountPerEmail: Bool) throws(AuthFailure) {
        var (emails, identities) = (Set<String>(), Set<[String]>())
        for user in users {
            if oneAccountPerEmail, let email = try user.filled("email") {
                try require(emails.insert(email).inserted, "DUPLICATE_EMAIL : \(email)")
            }
            for identity in try user.objects("providerUserInfo") ?? [] {
                let (provider, id) = (try identity.text("providerId") ?? "", try identity.text("rawId") ?? "")
                try require(
                    identities.insert([provider, id]).inserted,
                    "DUPLICATE_RAW_ID : Provider id(\(provider)), Raw id(\(id))"
                )
            }
        }
    }

    private func checkIDs(of users: [AuthBody]) throws(AuthFailure) {
        var ids: Set<String> = []
        for user in users {
            let id = try user.text("localId") ?? ""
            try require(ids.insert(id).inserted, "DUPLICATE_LOCAL_ID : \(id)")
        }
    }
}

extension String {
    /// The sentence that an import has for a refusal.
    fileprivate var inProse: String {
        switch self {
        case "INVALID_CLAIMS": "Invalid custom claims provided."
        case "CLAIMS_TOO_LARGE": "Custom claims provided are too large."
        case let text where text.hasPrefix("FORBIDDEN_CLAIM"): "Custom claims provided include a reserved claim."
        default: self
        }
    }
}

/// The settings of an import, which all its users share.
private struct AccountUpload {
    let scope: AccountScope
    /// The time of the import.
    let milliseconds: Int64
    let hashing: PasswordHashing?
    let isOverwriting: Bool
    let refusesDuplicateEmails: Bool
    let takesDuplicateEmails: Bool
    let profile: AuthProfile
    let random: AuthRandom

    func add(_ user: AuthBody, _ transaction: AccountTransaction) throws {
        let id = try require(try user.filled("localId"), "localId is missing")
        var account = Account(localID: id)
        account.displayName = try user.filled("displayName")
        account.photoURL = try user.filled("photoUrl")
        account.screenName = try user.filled("screenName")
        if let tenant = try user.filled("tenantId") {
            try require(
                tenant == scope.tenant,
                "Tenant id in userInfo does not match the tenant id in request."
            )
        }
        account.tenantID = scope.tenant
        try takePassword(of: user, into: &account)
        if let claims = try user.filled("customAttributes") {
            try AccountRules.checkClaims(claims)
            account.customAttributes = claims
        }
        let identities = try identities(of: user, id: id, transaction)
        if let number = try user.filled("phoneNumber") {
            try require(AccountRules.isPhoneNumber(number), "phone number format is invalid")
            account.phoneNumber = number
        }
        account.validSince = milliseconds / 1_000
        account.createdAt = try user.integer("createdAt") ?? milliseconds
        account.lastLoginAt = try user.integer("lastLoginAt")
        try takeEmail(of: user, into: &account, transaction)
        account.isDisabled = try user.isTrue("disabled")
        try takeFactors(of: user, into: &account)
        let former = try transaction.account(id: id)
        if former != nil {
            try require(isOverwriting, "localId belongs to an existing account - can not overwrite.")
        }
        if user.has("providerUserInfo") { account.providers = [] }
        account.updateProviders(adding: identities)
        try transaction.save(account, replacing: former, isImported: true)
    }

    private func takePassword(of user: AuthBody, into account: inout Account) throws(AuthFailure) {
        if let hash = try user.filled("passwordHash") {
            account.password.hash = hash
            account.password.salt = try user.filled("salt")
            account.password.hashing = hashing
            account.password.updatedAt = milliseconds
        } else if let password = try user.filled("rawPassword") {
            let salt = try user.filled("salt") ?? "fakeSalt" + random.id(20)
            account.password.salt = salt
            account.password.hash = PlainPassword.hash(password, salt: salt)
            account.password.updatedAt = milliseconds
        }
    }

    private func identities(
        of user: AuthBody,
        id: String,
        _ transaction: AccountTransaction
    ) throws -> [LinkedProvider] {
        var identities: [LinkedProvider] = []
        for given in try user.objects("providerUserInfo") ?? [] {
            let (provider, rawID) = (try given.filled("providerId"), try given.filled("rawId"))
            // Those come with the address and the number.
            if provider == ProviderName.password || provider == ProviderName.phone { continue }
            guard let provider, let rawID, var identity = LinkedProvider(json: .object(given.members)) else {
                throw AuthFailure.bad(
                    try given.filled("federatedId") == nil
                        ? "federatedId or (providerId & rawId) is required"
                        : "((Parsing federatedId is not implemented in Auth Emulator; "
                            + "please specify providerId AND rawId as a workaround.))"
                )
            }
            let owner = try transaction.account(provider: provider, rawID: rawID)
            try require(owner == nil || owner?.localID == id, "raw id exists in other account in database")
            if profile.isProduction { identity.federatedID = identity.federatedID ?? rawID }
            identities.append(identity)
        }
        return identities
    }

    private func takeEmail(
        of user: AuthBody,
        into account: inout Account,
        _ transaction: AccountTransaction
    ) throws {
        account.isEmailVerified = try user.isTrue("emailVerified")
        guard let email = try user.filled("email") else { return }
        try require(AccountRules.isEmail(email), "email is invalid")
        let address = email.lowercased()
        let owner = try transaction.account(email: address)
        try require(
            owner == nil || owner?.localID == account.localID || takesDuplicateEmails,
            refusesDuplicateEmails
                ? "email exists in other account in database"
                : "((Auth Emulator does not support importing duplicate email: \(email)))"
        )
        account.email = address
    }

    private func takeFactors(of user: AuthBody, into account: inout Account) throws(AuthFailure) {
        let given = try user.objects("mfaInfo") ?? []
        guard !given.isEmpty else { return }
        try require(account.email != nil, "Second factor account requires email to be presented.")
        try require(account.isEmailVerified == true, "Second factor account requires email to be verified.")
        var factors: [SecondFactor] = []
        for factor in given {
            let id = try factor.filled("mfaEnrollmentId") ?? random.id(28)
            try require(!factors.contains { $0.id == id }, "Enrollment id already exists.")
            try require(!factor.has("totpInfo"), "Importing TOTP MFA is not supported.")
            let number = try require(try factor.filled("phoneInfo"), "Second factor not supported.")
            try require(AccountRules.isPhoneNumber(number), "Phone number format is invalid")
            factors.append(
                SecondFactor(
                    id: id,
                    displayName: try factor.filled("displayName"),
                    enrolledAt: try factor.filled("enrolledAt") ?? AccountTime.text(milliseconds: milliseconds),
                    phoneNumber: number
                )
            )
        }
        account.secondFactors = factors
    }
}
