// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// `accounts:signInWithEmailLink`: with the code of a link that was sent by e-mail.
    func signInWithEmailLink() async throws -> JSONText {
        let settings = try enabledSettings()
        try require(settings.allowsEmailLinks, "OPERATION_NOT_ALLOWED")
        return try await signIn(settings) { transaction in
            let linking = try bearer(transaction)?.account
            let email = try require(try body.filled("email"), "MISSING_EMAIL").lowercased()
            let given = try require(try body.filled("oobCode"), "MISSING_OOB_CODE")
            let code = try transaction.actionCode(given)
            guard let code, code.purpose == .emailSignIn else { throw AuthFailure.bad("INVALID_OOB_CODE") }
            try require(
                email == code.email,
                "INVALID_EMAIL : The email provided does not match the sign-in email address."
            )
            try transaction.remove(actionCode: given)
            let owner = try transaction.account(email: email)
            // In production a link does not outlive its user.
            let isOrphan = context.profile.isProduction && code.userID != nil && owner == nil
            try require(!isOrphan, "INVALID_OOB_CODE")
            if let linking, let owner { try require(linking.localID == owner.localID, "EMAIL_EXISTS") }
            let former = linking ?? owner
            try require(former?.isDisabled != true, "USER_DISABLED")
            if former == nil { try require(settings.allowsSignUp, "ADMIN_ONLY_OPERATION") }
            var account = try former ?? Account(localID: newLocalID(transaction))
            if former == nil { account.createdAt = context.clock.milliseconds }
            if context.profile.isProduction, linking == nil, account.isEmailVerified != true {
                // It may have been chosen by another than the owner of the address.
                (account.password.hash, account.password.salt) = (nil, nil)
            }
            account.email = email
            account.isEmailVerified = true
            account.usesEmailLink = true
            account.tenantID = scope.tenant
            let isPending = settings.asksForSecondFactor && account.secondFactors?.isEmpty == false
            let saysIsNew = !(context.profile.isProduction && isPending)
            return .signIn(
                SignInPlan(
                    account: account,
                    former: former,
                    facts: SignInFacts(provider: ProviderName.password),
                    details: BlockingDetails("emailLink"),
                    answer: { account in
                        [
                            ("kind", "identitytoolkit#EmailLinkSigninResponse"), ("email", .string(email)),
                            ("localId", .string(account.localID)),
                            ("isNewUser", saysIsNew ? .boolean(former == nil) : nil),
                        ]
                    }
                )
            )
        }
    }
}
