// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Foundation
import JSON

extension AuthOperations {
    static let noPhoneFactor = "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
    static let noAuthenticator = "OPERATION_NOT_ALLOWED : TOTP based MFA not enabled."

    static let invalidNumber = "INVALID_PHONE_NUMBER : Invalid format."
    /// The factors that a user may have (recorded against production, September 2026).
    private static let factorLimit = 5

    /// An id for a factor: production's are UUIDs.
    private var newFactorID: String {
        context.profile.isProduction ? UUID().uuidString.lowercased() : context.random.id(28)
    }

    /// The time at which a user enrolls a factor; production writes microseconds.
    var enrollmentTime: String { factorTime(context.clock.milliseconds) }

    /// Writes a time as answers about enrollments have it.
    ///
    /// - Parameter milliseconds: Milliseconds since the Unix epoch.
    /// - Returns: The time in RFC 3339.
    func factorTime(_ milliseconds: Int64) -> String {
        let text = AccountTime.text(milliseconds: milliseconds)
        return context.profile.isProduction ? "\(text.dropLast())000Z" : text
    }

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
        let isProduction = context.profile.isProduction
        try require(!isProduction || enrollments.count <= Self.factorLimit, "SECOND_FACTOR_LIMIT_EXCEEDED")
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
                throw .bad(isProduction ? Self.invalidNumber : "INVALID_MFA_PHONE_NUMBER : Invalid format.")
            }
            guard !factors.contains(where: { $0.phoneNumber == number }) else { continue }
            let id = try require(
                isProduction ? named ?? newFactorID : makesIDs ? newFactorID : named,
                "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
            )
            try require(!factors.contains { $0.id == id }, "DUPLICATE_MFA_ENROLLMENT_ID")
            factors.append(
                SecondFactor(
                    id: id,
                    displayName: try enrollment.filled("displayName"),
                    enrolledAt: try enrollment.filled("enrolledAt")
                        ?? (isProduction ? AccountTime.text(milliseconds: context.clock.milliseconds) : nil),
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
        try require(
            !(context.profile.isProduction && isApp && body.has("phoneEnrollmentInfo")),
            "Invalid value (oneof), oneof field 'enrollment_info' is already set. Cannot set 'phoneEnrollmentInfo'"
        )
        try isApp
            ? require(settings.authenticatorIntervals != nil, Self.noAuthenticator)
            : require(settings.allowsPhoneFactor, Self.noPhoneFactor)
        return try writing { transaction in
            let user = try enrolling(transaction).account
            try requireRecentSignIn(transaction)
            try require(
                user.isEmailVerified == true,
                "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors."
            )
            if context.profile.isProduction { try requireRoom(in: user.secondFactors ?? [], isApp: isApp) }
            if isApp { return startAuthenticator(of: user) }
            let info = try require(
                try body.object("phoneEnrollmentInfo"),
                invalid("INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))")
            )
            let number = try AccountRules.checkPhoneNumber(try info.text("phoneNumber"))
            try requireNew(number, of: user)
            let code = try send(to: number, for: .enrollment, settings, transaction)
            return .object([("phoneSessionInfo", .object([("sessionInfo", .string(code.session))]))])
        }
    }

    private func requireRoom(in factors: [SecondFactor], isApp: Bool) throws(AuthFailure) {
        try require(
            !isApp || !factors.contains { $0.sharedSecret != nil },
            "SECOND_FACTOR_LIMIT_EXCEEDED : Too many TOTP based second factors enrolled for this account."
        )
        try require(
            isApp || factors.count < Self.factorLimit,
            "SECOND_FACTOR_LIMIT_EXCEEDED : Too many second factors enrolled for this account."
        )
    }

    /// The message of a call that lacks a part: production has one for all.
    ///
    /// - Parameter message: The official emulator's message.
    /// - Returns: The profile's message.
    func invalid(_ message: String) -> String {
        context.profile.isProduction ? "Request contains an invalid argument." : message
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
            if context.profile.isProduction, !isApp { account.validSince = context.clock.seconds }
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
            id: newFactorID,
            displayName: try body.filled("displayName"),
            enrolledAt: enrollmentTime,
            phoneNumber: number
        )
    }

    /// The number whose code the call holds.
    func verifiedFactor(_ transaction: AccountTransaction) throws -> String {
        let info = try require(
            try body.object("phoneVerificationInfo"),
            "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))"
        )
        if info.has("androidVerificationProof") {
            throw AuthFailure.notImplemented("androidVerificationProof is unsupported!")
        }
        let code = try require(try info.filled("code"), "MISSING_CODE")
        let session = try require(try info.filled("sessionInfo"), "MISSING_SESSION_INFO")
        return try useCode(code, of: session, keepsIt: context.profile.isProduction, transaction)
    }

    /// `mfaEnrollment:withdraw`.
    func withdrawEnrollment() throws -> JSONText {
        _ = try enabledSettings()
        return try writing { transaction in
            let bearer = try require(
                try bearer(transaction),
                context.profile.isProduction ? "INVALID_ID_TOKEN" : "MISSING_ID_TOKEN"
            )
            let id = try body.text("mfaEnrollmentId")
            let factors = try require(bearer.account.secondFactors, "MFA_ENROLLMENT_NOT_FOUND")
            try require(factors.contains { $0.id == id }, "MFA_ENROLLMENT_NOT_FOUND")
            var account = bearer.account
            account.secondFactors = factors.filter { $0.id != id }
            account.updateProviders()
            var facts = SignInFacts(provider: bearer.provider)
            guard context.profile.isProduction else {
                let tokens = tokens(&account, facts)
                try transaction.save(account, replacing: bearer.account)
                return .object(tokens)
            }
            if account.secondFactors?.isEmpty == true { account.secondFactors = nil }
            account.validSince = context.clock.seconds
            facts.secondFactor = remainingFactor(of: bearer, among: account.secondFactors ?? [])
            let tokens = tokens(&account, facts).filter { $0.0 != "expiresIn" }
            try transaction.save(account, replacing: bearer.account)
            return .object(tokens)
        }
    }

    /// The second factor of the caller's token, if the user still has it.
    private func remainingFactor(of bearer: Bearer, among factors: [SecondFactor]) -> (id: String, kind: String)? {
        let id = bearer.token["firebase"]?["second_factor_identifier"]?.string
        return factors.first { $0.id == id }.map { ($0.id, $0.sharedSecret == nil ? "phone" : "totp") }
    }
}
