// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// How long a code to reset a password lives in production (recorded, September 2026).
    private static let resetSeconds: Int64 = 3_600

    /// `accounts:resetPassword`: looks at a code, or sets a password with it.
    func resetPassword() throws -> JSONText {
        let settings = try enabledSettings()
        try require(settings.allowsPasswords, "PASSWORD_LOGIN_DISABLED")
        let given = try require(try body.filled("oobCode"), "MISSING_OOB_CODE")
        if context.profile.isProduction, try body.text("newPassword") == "" { throw AuthFailure.bad("WEAK_PASSWORD") }
        let code = try settlingReset(settings, with: given)
        // A user who wants an address back sees which one it replaces.
        let replaced =
            code.purpose == .recoverEmail ? try reading { try $0.account(initialEmail: code.email)?.email } : nil
        return .object(compacting: [
            ("kind", "identitytoolkit#ResetPasswordResponse"), ("requestType", .string(code.purpose.rawValue)),
            // To sign in by a link, the user has to know the address.
            ("email", code.purpose == .emailSignIn ? nil : .string(code.email)),
            ("newEmail", (code.newEmail ?? replaced).map(JSONText.string)),
        ])
    }

    /// Looks at a code, and sets the password of the call, if it has one.
    private func settlingReset(_ settings: AuthSettings, with given: String) throws -> ActionCode {
        guard let password = try body.filled("newPassword") else { return try reading { try usableCode(given, $0) } }
        // A code of production is used even where its user is disabled.
        let outcome = try writing { transaction in
            Result { try resetPassword(to: password, with: given, settings, transaction) }
        }
        return try outcome.get()
    }

    /// Returns a code that may still be used.
    private func usableCode(_ given: String, _ transaction: AccountTransaction) throws -> ActionCode {
        let code = try require(try transaction.actionCode(given), "INVALID_OOB_CODE")
        guard context.profile.isProduction else { return code }
        if code.userID != nil { try require(try owner(of: code, transaction) != nil, "INVALID_OOB_CODE") }
        if code.purpose == .passwordReset {
            let age = context.clock.seconds - code.createdAt / 1_000
            try require(age <= Self.resetSeconds, "EXPIRED_OOB_CODE")
        }
        return code
    }

    /// Sets a password with a code, which is used by that.
    func resetPassword(
        to password: String,
        with given: String,
        _ settings: AuthSettings,
        _ transaction: AccountTransaction
    ) throws -> ActionCode {
        let code = try usableCode(given, transaction)
        // In production a code to sign in changes nothing here.
        if context.profile.isProduction, code.purpose == .emailSignIn { return code }
        try require(code.purpose == .passwordReset, "INVALID_OOB_CODE")
        try checkNewPassword(password, settings)
        try transaction.remove(actionCode: given)
        let unknown = context.profile.isProduction ? "USER_NOT_FOUND" : "INVALID_OOB_CODE"
        let former = try require(try transaction.account(email: code.email), unknown)
        if context.profile.isProduction { try require(former.isDisabled != true, "USER_DISABLED") }
        var account = former
        account.isEmailVerified = true
        setPassword(password, of: &account, revokingTokensAt: context.clock.milliseconds)
        account.updateProviders(removing: Set((former.providers ?? []).map(\.providerID)))
        try transaction.save(account, replacing: former)
        return code
    }
}
