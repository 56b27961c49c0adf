// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A code that was sent by e-mail, in a link (`OobCode` in the API).
package struct ActionCode: Sendable, Equatable {
    /// The purpose of a code.
    package enum Purpose: String, Sendable, CaseIterable {
        case passwordReset = "PASSWORD_RESET"
        case verifyEmail = "VERIFY_EMAIL"
        case emailSignIn = "EMAIL_SIGNIN"
        case recoverEmail = "RECOVER_EMAIL"
        case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    }

    package let code: String
    package let purpose: Purpose
    package let email: String
    /// The user for whom it was made; `nil` for an address without one.
    package let userID: String?
    /// The address to which the user wants to change.
    package let newEmail: String?
    /// The link that was sent.
    package let link: String
    /// Milliseconds since the Unix epoch.
    package let createdAt: Int64

    /// Creates a code.
    package init(
        _ code: String,
        for purpose: Purpose,
        email: String,
        userID: String? = nil,
        newEmail: String? = nil,
        link: String,
        createdAt: Int64
    ) {
        (self.code, self.purpose, self.email, self.newEmail) = (code, purpose, email, newEmail)
        (self.userID, self.link, self.createdAt) = (userID, link, createdAt)
    }

    /// The code as the emulator's API lists it, and when it was made, which the official emulator leaves out.
    package var json: JSONText {
        .object(compacting: [
            ("email", .string(email)), ("newEmail", newEmail.map(JSONText.string)),
            ("requestType", .string(purpose.rawValue)), ("oobCode", .string(code)), ("oobLink", .string(link)),
            ("createdAt", .string(AccountTime.text(milliseconds: createdAt))),
        ])
    }
}

/// A code that was sent to a phone.
package struct PhoneCode: Sendable, Equatable {
    package let phoneNumber: String
    /// The opaque name by which the client finds the code again.
    package let session: String
    package let code: String
    /// Milliseconds since the Unix epoch.
    package let createdAt: Int64

    /// Creates a code.
    package init(phoneNumber: String, session: String, code: String, createdAt: Int64) {
        (self.phoneNumber, self.session, self.code, self.createdAt) = (phoneNumber, session, code, createdAt)
    }

    /// The code as the emulator's API lists it, and when it was made, which the official emulator leaves out.
    package var json: JSONText {
        .object([
            ("phoneNumber", .string(phoneNumber)), ("sessionInfo", .string(session)), ("code", .string(code)),
            ("createdAt", .string(AccountTime.text(milliseconds: createdAt))),
        ])
    }
}
