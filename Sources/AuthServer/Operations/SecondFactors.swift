// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    private static let noPhoneFactor = "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
    private static let noAuthenticator = "OPERATION_NOT_ALLOWED : TOTP based MFA not enabled."

    /// Reads the factors that an administrator wants a user to have.
    ///
    /// - Parameters:
    ///   - enrollments: The factors in the form of the API.
    ///   - makesIDs: Whether ids are made; else each must have one.
    ///   - kept: The user's factors: an authenticator app that is named again keeps its secret.
    /// - Returns: The factors, each number once.
    /// - Throws: A refusal.
    func secondFactors(
        from enrollments: [AuthBody],
        makesIDs: Bool,
        keeping kept: [SecondFactor]? = nil
    ) throws(AuthFailure) -> [SecondFactor] {
        var factors: [SecondFactor] = []
        for enrollment in enrollments {
            let named = try enrollment.filled("mfaEnrollmentId")
            if enrollment.has("totpInfo") {
                guard let factor = kept?.first(where: { $0.id == named && $0.sharedSecret != nil }) else {
                    throw .bad("UNSUPPORTED_SECOND_FACTOR : attempting to add a new TOTP enrollment")
                }
                factors.append(factor)
                continue
            }
            let number = try enrollment.filled("phoneInfo")
            guard let number, AccountRules.isPhoneNumber(number) else {
                throw .bad("INVALID_MFA_PHONE_NUMBER : Invalid format.")
            }
            guard !factors.contains(where: { $0.phoneNumber == number }) else { continue }
            let id = try require(
                makesIDs ? context.random.id(28) : named,
                "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
            )
            try require(!factors.contains { $0.id == id }, "DUPLICATE_MFA_ENROLLMENT_ID")
            factors.append(
                SecondFactor(
                    id: id,
                    displayName: try enrollment.filled("displayName"),
                    enrolledAt: try enrollment.filled("enrolledAt"),
                    phoneNumber: number
                )
            )
        }
        return factors
    }

    // MARK: Enrollment

    /// The user who wants to enroll a factor.
    private func enrolling(_ transaction: AccountTransaction) throws -> Bearer {
        let missing = context.profile.isProduction ? "INVALID_ID_TOKEN" : "MISSING_ID_TOKEN"
        let bearer = try require(try bearer(transaction), missing)
        try require(
            !ProviderName.withoutSecondFactor.contains(bearer.provider),
            "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor."
        )
        return bearer
    }

    /// `mfaEnrollment:start`: sends a code to a phone, or makes the secret of an authenticator app.
    func startEnrollment() throws -> JSONText {
        let settings = try enabledSettings()
        let isApp = body.has("totpEnrollmentInfo")
        try isApp
            ? require(settings.authenticatorIntervals != nil, Self.noAuthenticator)
            : require(settings.allowsPhoneFactor, Self.noPhoneFactor)
        return try writing { transaction in
            let user = try enrolling(transaction).account
            try require(
                user.isEmailVerified == true,
                "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors."
            )
            if isApp { return startAuthenticator(of: user) }
            let info = try require(
                try body.object("phoneEnrollmentInfo"),
                "INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))"
            )
            let number = try AccountRules.checkPhoneNumber(try info.text("phoneNumber"))
            try requireNew(number, of: user)
            let code = try send(to: number, for: .enrollment, settings, transaction)
            return .object([("phoneSessionInfo", .object([("sessionInfo", .string(code.session))]))])
        }
    }

    private func requireNew(_ number: String, of user: Account) throws(AuthFailure) {
        try require(
            user.secondFactors?.contains { $0.phoneNumber == number } != true,
            "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account."
        )
    }

    /// `mfaEnrollment:finalize`.
    func finalizeEnrollment() throws -> JSONText {
        let settings = try enabledSettings()
        let isApp = body.has("totpVerificationInfo")
        try isApp
            ? require(settings.authenticatorIntervals != nil, Self.noAuthenticator)
            : require(settings.allowsPhoneFactor, Self.noPhoneFactor)
        return try writing { transaction in
            let bearer = try enrolling(transaction)
            let factor =
                isApp
                ? try newAuthenticator(of: bearer.account, settings)
                : try newPhone(of: bearer.account, transaction)
            var account = bearer.account
            account.secondFactors = (account.secondFactors ?? []) + [factor]
            account.updateProviders()
            let kind = factor.sharedSecret == nil ? "phone" : "totp"
            let facts = SignInFacts(provider: bearer.provider, secondFactor: (factor.id, kind))
            let tokens = tokens(&account, facts).filter { $0.0 != "expiresIn" }
            try transaction.save(account, replacing: bearer.account)
            return .object(tokens + (isApp ? [("totpAuthInfo", .object([]))] : []))
        }
    }

    private func newPhone(of user: Account, _ transaction: AccountTransaction) throws -> SecondFactor {
        let number = try verifiedFactor(transaction)
        try requireNew(number, of: user)
        return SecondFactor(
            id: context.random.id(28),
            displayName: try body.filled("displayName"),
            enrolledAt: AccountTime.text(milliseconds: context.clock.milliseconds),
            phoneNumber: number
        )
    }

    /// The number whose code the call holds.
    private func verifiedFactor(_ transaction: AccountTransaction) throws -> String {
        let info = try require(
            try body.object("phoneVerificationInfo"),
            "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))"
        )
        if info.has("androidVerificationProof") {
            throw AuthFailure.notImplemented("androidVerificationProof is unsupported!")
        }
        let code = try require(try info.filled("code"), "MISSING_CODE")
        let session = try require(try info.filled("sessionInfo"), "MISSING_SESSION_INFO")
        return try useCode(code, of: session, transaction)
    }

    /// `mfaEnrollment:withdraw`.
    func withdrawEnrollment() throws -> JSONText {
        _ = try enabledSettings()
        return try writing { transaction in
            let bearer = try require(try bearer(transaction), "MISSING_ID_TOKEN")
            let id = try body.text("mfaEnrollmentId")
            let factors = try require(bearer.account.secondFactors, "MFA_ENROLLMENT_NOT_FOUND")
            try require(factors.contains { $0.id == id }, "MFA_ENROLLMENT_NOT_FOUND")
            var account = bearer.account
            account.secondFactors = factors.filter { $0.id != id }
            account.updateProviders()
            let tokens = tokens(&account, SignInFacts(provider: bearer.provider))
            try transaction.save(account, replacing: bearer.account)
            return .object(tokens)
        }
    }

    // MARK: Sign-in

    /// `mfaSignIn:start`: sends a code to the phone that is a user's second factor.
    func startSecondFactor() throws -> JSONText {
        let settings = try enabledSettings()
        try require(settings.allowsPhoneFactor, Self.noPhoneFactor)
        let text = try require(
            try body.filled("mfaPendingCredential"),
            "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential."
        )
        let id = try require(
            try body.filled("mfaEnrollmentId"),
            "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided."
        )
        return try writing { transaction in
            let (user, _) = try pendingUser(text, transaction)
            let factor = try require(user.secondFactors?.first { $0.id == id }, "MFA_ENROLLMENT_NOT_FOUND")
            let number = try require(factor.phoneNumber, "INVALID_ARGUMENT : MFA provider not supported!")
            let code = try send(to: number, for: .secondFactor, settings, transaction)
            return .object([("phoneResponseInfo", .object([("sessionInfo", .string(code.session))]))])
        }
    }

    private func pendingUser(_ text: String, _ transaction: AccountTransaction) throws -> (Account, String) {
        let credential = try PendingCredential(text, in: scope)
        let user = try transaction.account(id: credential.localID)
        return (try require(user, "((User in pendingCredentialPayload does not exist.))"), credential.provider)
    }

    /// `mfaSignIn:finalize`.
    func finalizeSecondFactor() async throws -> JSONText {
        let settings = try enabledSettings()
        let isApp = body.has("totpVerificationInfo")
        try isApp
            ? require(settings.authenticatorIntervals != nil, Self.noAuthenticator)
            : require(settings.allowsPhoneFactor, Self.noPhoneFactor)
        let text = try require(
            try body.filled("mfaPendingCredential"),
            "MISSING_CREDENTIAL : Please set MFA Pending Credential."
        )
        try require(isApp || body.has("phoneVerificationInfo"), "INVALID_ARGUMENT : MFA provider not supported!")
        let answer = try await signIn(settings) { transaction in
            let (user, provider, factor) = try shownFactor(text, isApp: isApp, settings, transaction)
            try require(user.isDisabled != true, "USER_DISABLED")
            let kind = isApp ? "totp" : "phone"
            var details = BlockingDetails(provider)
            details.secondFactor = kind
            return .signIn(
                SignInPlan(
                    account: user,
                    former: user,
                    facts: SignInFacts(provider: provider, secondFactor: (factor.id, kind)),
                    details: details,
                    answer: { _ in [] },
                    takesSecondFactor: false
                )
            )
        }
        guard case .object(let members) = answer else { return answer }
        return .object(members.filter { $0.0 != "expiresIn" })
    }

    private func shownFactor(
        _ credential: String,
        isApp: Bool,
        _ settings: AuthSettings,
        _ transaction: AccountTransaction
    ) throws -> (Account, String, SecondFactor) {
        guard !isApp else {
            let (user, provider) = try pendingUser(credential, transaction)
            return (user, provider, try shownAuthenticator(of: user, settings))
        }
        let number = try verifiedFactor(transaction)
        let (user, provider) = try pendingUser(credential, transaction)
        // The SDK for iOS names the number as it was shown to it.
        let factor = user.secondFactors?.first {
            $0.phoneNumber == number || $0.phoneNumber?.obfuscatedPhoneNumber == number
        }
        return (user, provider, try require(factor, "MFA_ENROLLMENT_NOT_FOUND"))
    }
}
