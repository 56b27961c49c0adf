// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// The user of an ID token, as it is read.
    struct Bearer {
        let account: Account
        let provider: String
        let token: JSONValue
    }

    /// Returns the user of the call's ID token; `nil` where it has none.
    func bearer(_ transaction: AccountTransaction) throws -> Bearer? {
        guard let text = try body.text("idToken") else { return nil }
        guard !text.isEmpty || context.profile.isProduction else { return nil }
        return try bearer(of: text, transaction)
    }

    /// Returns the user of an ID token.
    func bearer(of text: String, _ transaction: AccountTransaction) throws -> Bearer {
        guard let token = JSONWebToken(text), let id = token.payload["user_id"]?.string,
            let issuedAt = token.payload["iat"]?.integer
        else { throw AuthFailure.bad("INVALID_ID_TOKEN") }
        let (provider, tenant) = try session(of: token)
        if token.algorithm != "none" {
            context.onWarning("An ID token with a signature was taken; signatures are not checked.")
        }
        if let tenant {
            try require(scope.tenant != nil, "((Parsed token that belongs to tenant in a non-tenant project.))")
            try require(tenant == scope.tenant, AuthCall.tenantMismatch(in: context.profile))
        }
        let account = try require(try transaction.account(id: id), "USER_NOT_FOUND")
        try require(issuedAt >= account.validSince ?? issuedAt, "TOKEN_EXPIRED")
        try require(account.isDisabled != true, "USER_DISABLED")
        return Bearer(account: account, provider: provider, token: token.payload)
    }

    /// How long production takes a token after it has expired (recorded against production, September 2026).
    static let leewaySeconds: Int64 = 300

    /// The provider and the tenant of a token's session; throws for a token that is not one of ours.
    private func session(of token: JSONWebToken) throws(AuthFailure) -> (provider: String, tenant: String?) {
        let payload = token.payload
        let isBrief = context.profile.isProduction && BriefToken.isOne(payload)
        let session = isBrief ? payload : payload["firebase"]
        let provider = try require(session?["sign_in_provider"]?.string, "INVALID_ID_TOKEN")
        if context.profile.isProduction {
            let isOurs = isBrief || payload["iss"]?.string?.hasPrefix(IDToken.issuerPrefix) == true
            let end = payload["exp"]?.integer ?? .max
            try require(isOurs && context.clock.seconds - Self.leewaySeconds < end, "INVALID_ID_TOKEN")
            // A token without a signature that has one has been tampered with.
            try require(token.algorithm != "none" || !token.isSigned, "INVALID_ID_TOKEN")
        }
        return (provider, session?["tenant"]?.string)
    }

    /// The time after a sign-in in which users may change what others could take them over by
    /// (firebase.google.com/docs/auth/web/manage-users, "Re-authenticate a user", 2026-11, says "recently"; production's
    /// message comes after five minutes).
    private static let recentSeconds: Int64 = 300

    /// Throws where a user has to sign in again first, as in production.
    func requireRecentSignIn(_ transaction: AccountTransaction) throws {
        guard context.profile.isProduction, !call.isPrivileged, let user = try bearer(transaction) else { return }
        let signedInAt = user.token["auth_time"]?.integer ?? user.token["iat"]?.integer ?? 0
        try require(signedInAt >= context.clock.seconds - Self.recentSeconds, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }

    /// Makes the tokens of a user, who is refreshed by that.
    ///
    /// - Parameters:
    ///   - account: The user.
    ///   - facts: The user's session.
    ///   - isBrief: Whether a caller of production that did not ask for secure tokens gets none.
    /// - Returns: The members of the answer.
    func tokens(_ account: inout Account, _ facts: SignInFacts, isBrief: Bool = false) -> [(String, JSONText)] {
        let clock = context.clock
        if isBrief {
            return [("idToken", .string(BriefToken.make(of: account, facts, in: scope, at: clock.seconds)))]
        }
        var facts = facts
        if context.profile.isProduction {
            facts.authTime = facts.authTime ?? clock.seconds
        }
        account.lastRefreshAt = clock.milliseconds
        let token = IDToken.make(of: account, facts, in: scope, at: clock.seconds)
        let refresh = RefreshToken(localID: account.localID, facts: facts, scope: scope, issuedAt: clock.seconds)
        return [
            ("idToken", .string(token)), ("refreshToken", .string(refresh.text)),
            ("expiresIn", .string(String(IDToken.lifetimeSeconds))),
        ]
    }

    /// Whether the caller gets a brief token: in production, where a method has not been asked for secure ones.
    func wantsBriefToken() throws(AuthFailure) -> Bool {
        guard context.profile.isProduction else { return false }
        return try !body.isTrue("returnSecureToken")
    }
}
