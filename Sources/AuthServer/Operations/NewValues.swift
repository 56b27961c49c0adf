// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// The demands on what accounts are to have, by the profile.
extension AuthOperations {
    /// The longest password of production, in UTF-16 code units (recorded against production, September 2026).
    private static let passwordLengthMax = 4_096

    /// Throws for a new password that is too weak, or in production too long.
    func checkNewPassword(_ password: String, _ settings: AuthSettings) throws(AuthFailure) {
        if context.profile.isProduction { try checkLength(of: password) }
        try AccountRules.checkPassword(password, by: settings.passwordPolicy)
    }

    private func checkLength(of password: String) throws(AuthFailure) {
        try require(
            password.utf16.count <= Self.passwordLengthMax,
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Password cannot be longer than \(Self.passwordLengthMax) characters"
        )
    }

    /// Throws for a password to which a user's is changed; in production an administrator may choose a weak one.
    func checkChangedPassword(_ password: String, _ settings: AuthSettings) throws(AuthFailure) {
        let isLenient = context.profile.isProduction && call.isPrivileged && !settings.passwordPolicy.isEnforced
        isLenient ? try checkLength(of: password) : try checkNewPassword(password, settings)
    }

    /// The longest display name of production, in UTF-16 code units (recorded against production, September 2026).
    private static let displayNameLengthMax = 256

    /// Throws for a display name that production does not keep.
    func checkDisplayName(_ name: String) throws(AuthFailure) {
        let isTooLong = context.profile.isProduction && name.utf16.count > Self.displayNameLengthMax
        try require(!isTooLong, "INVALID_PROFILE_ATTRIBUTE : Display name too long.")
    }

    /// Throws for a text that is not the JSON of custom claims, in the words of the profile.
    func checkClaims(_ text: String) throws(AuthFailure) {
        if context.profile.isProduction, let json = try? JSONValue(parsing: Array(text.utf8)) {
            guard case .object = json else { throw .bad("INVALID_CLAIMS : Not a JSON Object: \(text)") }
        }
        try AccountRules.checkClaims(text)
    }

    /// Whether a text is taken for an e-mail address.
    func isEmail(_ text: String) -> Bool {
        AccountRules.isEmail(text) && !(context.profile.isProduction && text.contains(where: \.isWhitespace))
    }

    /// Returns a phone number as it is kept; throws for one that makes no sense.
    func checkedPhoneNumber(_ text: String?) throws(AuthFailure) -> String {
        let number = try AccountRules.checkPhoneNumber(text)
        guard context.profile.isProduction else { return number }
        return try require(PhoneNumber.normalized(number), "INVALID_PHONE_NUMBER : Invalid format.")
    }
}
