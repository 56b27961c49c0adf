// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// `accounts:signInWithPassword`.
    func signInWithPassword() async throws -> JSONText {
        let settings = try enabledSettings()
        try require(settings.allowsPasswords, "PASSWORD_LOGIN_DISABLED")
        let email = try require(try body.text("email"), "MISSING_EMAIL")
        try require(isEmail(email), "INVALID_EMAIL")
        let password = try require(try body.filled("password"), "MISSING_PASSWORD")
        let address = email.lowercased()
        let (unknown, wrong) =
            settings.hidesEmails
            ? ("INVALID_LOGIN_CREDENTIALS", "INVALID_LOGIN_CREDENTIALS") : ("EMAIL_NOT_FOUND", "INVALID_PASSWORD")
        let isProduction = context.profile.isProduction
        // Production names those who have no name, too.
        let emptyName = isProduction ? "" : nil
        let isBrief = try wantsBriefToken()
        return try await signIn(settings) { transaction in
            let account = try require(try transaction.account(email: address), unknown)
            try require(account.isDisabled != true, "USER_DISABLED")
            try require(account.password.matches(password), wrong)
            if settings.passwordPolicy.forcesUpgrade {
                try AccountRules.checkPassword(password, by: settings.passwordPolicy)
            }
            return .signIn(
                SignInPlan(
                    account: account,
                    former: account,
                    facts: SignInFacts(provider: ProviderName.password),
                    details: BlockingDetails("password"),
                    answer: { account in
                        [
                            ("kind", "identitytoolkit#VerifyPasswordResponse"), ("registered", true),
                            ("localId", .string(account.localID)), ("email", .string(address)),
                            ("displayName", (account.displayName ?? emptyName).map(JSONText.string)),
                            ("profilePicture", isProduction ? account.photoURL.map(JSONText.string) : nil),
                        ]
                    },
                    takesBriefToken: isBrief
                )
            )
        }
    }
}
