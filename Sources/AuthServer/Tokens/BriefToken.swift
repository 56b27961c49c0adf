// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// The token of a sign-in without `returnSecureToken`: for Identity Toolkit alone, and without a refresh token.
///
/// Recorded against production, September 2026.
enum BriefToken {
    private static let issuer = "https://identitytoolkit.google.com/"
    /// Two weeks.
    private static let lifetimeSeconds: Int64 = 1_209_600

    static func isOne(_ payload: JSONValue) -> Bool { payload["iss"]?.string == issuer }

    /// Makes the token of a user.
    static func make(of account: Account, _ facts: SignInFacts, in scope: AccountScope, at seconds: Int64) -> String {
        let isCustom = facts.provider == ProviderName.custom
        let email = isCustom ? nil : account.email
        let claims: [(String, JSONText?)] = [
            ("iss", .string(issuer)), ("aud", .string(scope.project)), ("iat", .integer(seconds)),
            ("exp", .integer(seconds + lifetimeSeconds)), ("user_id", .string(account.localID)),
            ("email", email.map(JSONText.string)), ("sign_in_provider", .string(facts.provider)),
            ("verified", email.map { _ in .boolean(account.isEmailVerified ?? false) }),
            ("tenant", scope.tenant.map(JSONText.string)),
            ("extra_claims", facts.claims.isEmpty ? nil : JSONText(.object(facts.claims))),
        ]
        return JSONWebToken.unsigned(.object(compacting: claims), isTyped: false)
    }
}
