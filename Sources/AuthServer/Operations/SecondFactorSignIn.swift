// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// Signing in with a second factor.
extension AuthOperations {
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
            let isProduction = context.profile.isProduction
            let (user, _) = try pendingUser(text, isApp: false, transaction)
            let factor = try require(user.secondFactors?.first { $0.id == id }, "MFA_ENROLLMENT_NOT_FOUND")
            try require(!isProduction || body.has("phoneSignInInfo"), invalid(""))
            let number = try require(
                factor.phoneNumber,
                isProduction ? Self.invalidNumber : "INVALID_ARGUMENT : MFA provider not supported!"
            )
            let code = try send(to: number, for: .secondFactor, settings, transaction)
            return .object([("phoneResponseInfo", .object([("sessionInfo", .string(code.session))]))])
        }
    }

    /// The message for a factor that the user does not have.
    var unknownFactor: String {
        context.profile.isProduction ? "INVALID_MFA_ENROLLMENT_ID" : "MFA_ENROLLMENT_NOT_FOUND"
    }

    private func pendingUser(
        _ text: String,
        isApp: Bool,
        _ transaction: AccountTransaction
    ) throws -> (Account, String) {
        let isProduction = context.profile.isProduction
        let credential = try PendingCredential(
            text,
            in: scope,
            brokenMessage: isProduction ? "INVALID_PENDING_TOKEN" : nil
        )
        if isProduction { try credential.requireFresh(at: context.clock.seconds, isApp: isApp) }
        let missing = isProduction ? "USER_NOT_FOUND" : "((User in pendingCredentialPayload does not exist.))"
        return (try require(try transaction.account(id: credential.localID), missing), credential.provider)
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
            invalid("MISSING_CREDENTIAL : Please set MFA Pending Credential.")
        )
        try require(isApp || body.has("phoneVerificationInfo"), "INVALID_ARGUMENT : MFA provider not supported!")
        let answer = try await signIn(settings) { transaction in
            let (user, provider, factor) = try shownFactor(text, isApp: isApp, settings, transaction)
            let takesDisabled = context.profile.isProduction
            try require(takesDisabled || user.isDisabled != true, "USER_DISABLED")
            var account = user
            if let place = account.secondFactors?.firstIndex(where: { $0.id == factor.id }) {
                account.secondFactors?[place] = factor
            }
            let kind = isApp ? "totp" : "phone"
            var details = BlockingDetails(provider)
            details.secondFactor = kind
            return .signIn(
                SignInPlan(
                    account: account,
                    former: user,
                    facts: SignInFacts(provider: provider, secondFactor: (factor.id, kind)),
                    details: details,
                    answer: { _ in [] },
                    takesSecondFactor: false,
                    takesDisabled: takesDisabled && user.isDisabled == true
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
            let (user, provider) = try pendingUser(credential, isApp: true, transaction)
            return (user, provider, try shownAuthenticator(of: user, settings))
        }
        let number = try verifiedFactor(transaction)
        let (user, provider) = try pendingUser(credential, isApp: false, transaction)
        // The SDK for iOS names the number as it was shown to it.
        let factor = user.secondFactors?.first {
            $0.phoneNumber == number || $0.phoneNumber?.obfuscatedPhoneNumber == number
        }
        return (user, provider, try require(factor, unknownFactor))
    }
}
