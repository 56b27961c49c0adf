// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import AccountStore

/// A code or link that production would send to a user.
package enum AuthMessage: Sendable {
    /// A link for an e-mail address.
    case mail(ActionCode)
    /// A code for a phone, and its use.
    case text(PhoneCode, PhoneUse)

    /// The use of a code that is sent to a phone.
    package enum PhoneUse: Sendable {
        case signIn
        case enrollment
        case secondFactor
    }

    /// A line for the developer, in the official emulator's words.
    package var line: String {
        switch self {
        case .mail(let code): Self.line(code)
        case .text(let code, .signIn): "To verify the phone number \(code.phoneNumber), use the code \(code.code)."
        case .text(let code, .enrollment): "To enroll MFA with \(code.phoneNumber), use the code \(code.code)."
        case .text(let code, .secondFactor): "To sign in with MFA using \(code.phoneNumber), use the code \(code.code)."
        }
    }

    private static func line(_ code: ActionCode) -> String {
        switch code.purpose {
        case .emailSignIn: "To sign in as \(code.email), follow this link: \(code.link)"
        case .passwordReset:
            "To reset the password for \(code.email), follow this link: \(code.link)&newPassword=NEW_PASSWORD_HERE"
        case .verifyEmail: "To verify the email address \(code.email), follow this link: \(code.link)"
        case .verifyAndChangeEmail:
            "To verify and change the email address from \(code.email) to \(code.newEmail ?? ""), "
                + "follow this link: \(code.link)"
        case .recoverEmail: "To reset your email address to \(code.email), follow this link: \(code.link)"
        }
    }
}
