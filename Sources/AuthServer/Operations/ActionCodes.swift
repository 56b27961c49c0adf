// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Wire

extension AuthOperations {
    /// `accounts:sendOobCode`: sends a link by e-mail.
    func sendOobCode() throws -> JSONText {
        let settings = try enabledSettings()
        let type = try body.choice("requestType", of: Self.requestTypes)
        try require(type != nil && type != "" && type != Self.requestTypes[0], "MISSING_REQ_TYPE")
        let returnsLink = try body.isTrue("returnOobLink")
        if returnsLink { try require(call.isPrivileged, "INSUFFICIENT_PERMISSION") }
        let continueURL = try body.filled("continueUrl")
        if let continueURL {
            try require(
                AbsoluteURL.isOne(continueURL),
                "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
            )
        }
        guard let purpose = type.flatMap(ActionCode.Purpose.init), purpose != .recoverEmail else {
            throw AuthFailure.notImplemented(type ?? "")
        }
        if purpose == .emailSignIn { try require(settings.allowsEmailLinks, "OPERATION_NOT_ALLOWED") }
        let (code, email) = try writing { transaction -> (ActionCode?, String) in
            let recipient = try recipient(of: purpose, settings, returnsLink: returnsLink, transaction)
            guard recipient.isKnown else { return (nil, recipient.email) }
            if context.profile.isProduction, purpose == .verifyAndChangeEmail {
                // The latest link is the one that counts.
                try transaction.removeActionCodes(for: purpose, email: recipient.email)
            }
            let code = try keepCode(
                for: purpose,
                email: recipient.email,
                newEmail: recipient.newEmail,
                continueURL: continueURL,
                transaction
            )
            return (code, recipient.email)
        }
        var answer: [(String, JSONText)] = [
            ("kind", "identitytoolkit#GetOobConfirmationCodeResponse"), ("email", .string(email)),
        ]
        guard let code else { return .object(answer) }
        if returnsLink {
            answer += [("oobCode", .string(code.code)), ("oobLink", .string(code.link))]
        } else {
            context.onMessage(.mail(code))
        }
        return .object(answer)
    }

    /// The types in the order of their numbers (`OobReqType`, Identity Toolkit v1, 2026-11).
    private static let requestTypes = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL",
        "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
    ]

    private struct Recipient {
        let email: String
        var newEmail: String?
        /// False for an address without a user, which the answer must not say.
        var isKnown = true
    }

    private func recipient(
        of purpose: ActionCode.Purpose,
        _ settings: AuthSettings,
        returnsLink: Bool,
        _ transaction: AccountTransaction
    ) throws -> Recipient {
        switch purpose {
        case .emailSignIn: return Recipient(email: try namedEmail())
        case .passwordReset:
            let email = try namedEmail()
            let isKnown = try transaction.account(email: email) != nil
            if !settings.hidesEmails { try require(isKnown, "EMAIL_NOT_FOUND") }
            return Recipient(email: email, isKnown: isKnown)
        case .verifyEmail, .recoverEmail:
            return Recipient(email: try ownEmail(returnsLink: returnsLink, transaction, or: "INVALID_ID_TOKEN"))
        case .verifyAndChangeEmail:
            let newEmail = try require(try body.filled("newEmail"), "MISSING_NEW_EMAIL").lowercased()
            try require(AccountRules.isEmail(newEmail), "INVALID_NEW_EMAIL")
            let email = try ownEmail(returnsLink: returnsLink, transaction, or: "MISSING_ID_TOKEN")
            let isFree = try transaction.account(email: newEmail) == nil
            // Where addresses are protected, production does not say that one is taken.
            let hidesOwner = context.profile.isProduction && settings.hidesEmails
            try require(isFree || hidesOwner, "EMAIL_EXISTS")
            return Recipient(email: email, newEmail: newEmail, isKnown: isFree)
        }
    }

    private func namedEmail() throws(AuthFailure) -> String {
        let email = try require(try body.filled("email"), "MISSING_EMAIL").lowercased()
        try require(AccountRules.isEmail(email), "INVALID_EMAIL")
        return email
    }

    /// The address of a user who is named by address, where an administrator wants the link, or else by ID token.
    private func ownEmail(
        returnsLink: Bool,
        _ transaction: AccountTransaction,
        or missing: String
    ) throws -> String {
        guard let bearer = try bearer(transaction) else {
            try require(returnsLink, missing)
            let email = try namedEmail()
            try require(try transaction.account(email: email) != nil, "USER_NOT_FOUND")
            return email
        }
        return try require(bearer.account.email, "MISSING_EMAIL")
    }

    /// Makes a code, and the link that holds it.
    func keepCode(
        for purpose: ActionCode.Purpose,
        email: String,
        newEmail: String? = nil,
        continueURL: String? = nil,
        _ transaction: AccountTransaction
    ) throws -> ActionCode {
        let text = context.random.code(54)
        let parameters: [(String, String?)] = [
            ("mode", purpose.mode), ("lang", "en"), ("oobCode", text), ("apiKey", "fake-api-key"),
            ("continueUrl", continueURL), ("tenantId", scope.tenant),
        ]
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(PercentCoding.encode($0))" } }
        let code = ActionCode(
            text,
            for: purpose,
            email: email,
            newEmail: newEmail,
            link: "\(call.origin)/emulator/action?\(query.joined(separator: "&"))",
            createdAt: context.clock.milliseconds
        )
        try transaction.add(code)
        return code
    }

    /// `accounts:resetPassword`: looks at a code, or sets a password with it.
    func resetPassword() throws -> JSONText {
        let settings = try enabledSettings()
        try require(settings.allowsPasswords, "PASSWORD_LOGIN_DISABLED")
        let given = try require(try body.filled("oobCode"), "MISSING_OOB_CODE")
        let password = try body.filled("newPassword")
        let code =
            try password.map { password in
                try writing { try resetPassword(to: password, with: given, settings, $0) }
            } ?? reading { try require(try $0.actionCode(given), "INVALID_OOB_CODE") }
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

    /// Sets a password with a code, which is used by that.
    func resetPassword(
        to password: String,
        with given: String,
        _ settings: AuthSettings,
        _ transaction: AccountTransaction
    ) throws -> ActionCode {
        let code = try require(try transaction.actionCode(given), "INVALID_OOB_CODE")
        try require(code.purpose == .passwordReset, "INVALID_OOB_CODE")
        try AccountRules.checkPassword(password, by: settings.passwordPolicy)
        try transaction.remove(actionCode: given)
        let former = try require(try transaction.account(email: code.email), "INVALID_OOB_CODE")
        var account = former
        account.isEmailVerified = true
        setPassword(password, of: &account, revokingTokensAt: context.clock.milliseconds)
        account.updateProviders(removing: Set((former.providers ?? []).map(\.providerID)))
        try transaction.save(account, replacing: former)
        return code
    }
}

extension ActionCode.Purpose {
    /// The name of the purpose in links.
    var mode: String {
        switch self {
        case .passwordReset: "resetPassword"
        case .verifyEmail: "verifyEmail"
        case .emailSignIn: "signIn"
        case .recoverEmail: "recoverEmail"
        case .verifyAndChangeEmail: "verifyAndChangeEmail"
        }
    }
}
