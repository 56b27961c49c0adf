// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// The demands on members of accounts.
enum AccountRules {
    static func isEmail(_ text: String) -> Bool { AccountForm.isEmail(text) }

    static func isPhoneNumber(_ text: String) -> Bool { AccountForm.isPhoneNumber(text) }

    /// Throws for a password that is too weak.
    static func checkPassword(_ password: String, by policy: PasswordPolicy) throws(AuthFailure) {
        let faults = policy.faults(of: password)
        try require(
            faults.isEmpty,
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [\(faults.joined(separator: ", "))]"
        )
        guard !policy.isEnforced else { return }
        try require(
            password.utf16.count >= Int(PasswordPolicy.byteCountMinDefault),
            "WEAK_PASSWORD : Password should be at least \(PasswordPolicy.byteCountMinDefault) characters"
        )
    }

    /// The longest text of custom claims (firebase.google.com/docs/auth/admin/custom-claims, 2026-11).
    private static let claimsLengthMax = 1_000

    /// Names that custom claims cannot have (firebase.google.com/docs/auth/admin/create-custom-tokens, 2026-11).
    private static let reservedClaims = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash",
    ]

    /// Throws for a text that is not the JSON of custom claims.
    static func checkClaims(_ text: String) throws(AuthFailure) {
        try require(text.utf16.count <= claimsLengthMax, "CLAIMS_TOO_LARGE")
        guard let claims = try? JSONValue(parsing: Array(text.utf8)) else { throw .bad("INVALID_CLAIMS") }
        _ = try claims.checkedAsClaims()
    }

    static func checkPhoneNumber(_ text: String?) throws(AuthFailure) -> String {
        guard let text, isPhoneNumber(text) else { throw .bad("INVALID_PHONE_NUMBER : Invalid format.") }
        return text
    }
}

extension JSONValue {
    /// The members of custom claims; throws for another value, and for claims that are reserved.
    func checkedAsClaims() throws(AuthFailure) -> [String: JSONValue] {
        guard case .object(let claims) = self else { throw .bad("INVALID_CLAIMS") }
        try AccountRules.checkNames(of: claims)
        return claims
    }
}

extension AccountRules {
    fileprivate static func checkNames(of claims: [String: JSONValue]) throws(AuthFailure) {
        if let name = reservedClaims.first(where: { claims[$0] != nil }) { throw .bad("FORBIDDEN_CLAIM : \(name)") }
    }
}
