// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Wire

extension AuthOperations {
    /// `accounts:sendOobCode`: sends a link by e-mail.
    func sendOobCode() throws -> JSONText {
        let settings = try enabledSettings()
        let returnsLink = try body.isTrue("returnOobLink")
        let purpose = try requestedPurpose()
        if returnsLink { try require(call.isPrivileged, "INSUFFICIENT_PERMISSION") }
        let continueURL = try continueURL()
        if purpose == .emailSignIn { try require(settings.allowsEmailLinks, "OPERATION_NOT_ALLOWED") }
        let (code, email) = try writing { transaction -> (ActionCode?, String) in
            let recipient = try recipient(of: purpose, settings, returnsLink: returnsLink, transaction)
            guard recipient.isKnown else { return (nil, recipient.email) }
            if context.profile.isProduction {
                try checkDomain(of: continueURL, settings)
                // The latest link is the one that counts.
                if purpose != .verifyEmail { try transaction.removeActionCodes(for: purpose, email: recipient.email) }
            }
            let code = try keepCode(
                for: purpose,
                email: recipient.email,
                newEmail: recipient.newEmail,
                continueURL: continueURL,
                language: settings.language,
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
        case .emailSignIn:
            let email = try namedEmail()
            if context.profile.isProduction {
                let user = try transaction.account(email: email)
                try require(user != nil || settings.allowsSignUp, "ADMIN_ONLY_OPERATION")
                try require(user?.isDisabled != true, "USER_DISABLED")
            }
            return Recipient(email: email)
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
            if context.profile.isProduction, returnsLink { _ = try namedEmail() }
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
        language: String = "en",
        _ transaction: AccountTransaction
    ) throws -> ActionCode {
        let text = context.random.code(54)
        let parameters: [(String, String?)] = [
            ("mode", purpose.mode), ("lang", language), ("oobCode", text), ("apiKey", "fake-api-key"),
            ("continueUrl", continueURL), ("tenantId", scope.tenant),
        ]
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(PercentCoding.encode($0))" } }
        let code = ActionCode(
            text,
            for: purpose,
            email: email,
            userID: try transaction.account(email: email)?.localID,
            newEmail: newEmail,
            link: "\(call.origin)/emulator/action?\(query.joined(separator: "&"))",
            createdAt: context.clock.milliseconds
        )
        try transaction.add(code)
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
