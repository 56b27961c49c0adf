// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// `token` of Secure Token: new tokens for a refresh token.
    func grantToken() throws -> JSONText {
        let kind = try require(try body.filled("grantType"), "MISSING_GRANT_TYPE")
        try require(kind == "refresh_token", "INVALID_GRANT_TYPE")
        let text = try require(try body.filled("refreshToken"), "MISSING_REFRESH_TOKEN")
        let token = try RefreshToken(text)
        // Production's stays the same.
        let keptToken = context.profile.isProduction ? JSONText.string(text) : nil
        try require(token.scope.project == scope.project, "INVALID_REFRESH_TOKEN")
        if scope.tenant != nil { try require(token.scope.tenant == scope.tenant, "TENANT_ID_MISMATCH") }
        if context.profile.isProduction { _ = try enabledSettings() }
        return try writing { transaction in
            let unknown = context.profile.isProduction ? "USER_NOT_FOUND" : "INVALID_REFRESH_TOKEN"
            let former = try require(try transaction.account(id: token.localID), unknown)
            try require(former.isDisabled != true, "USER_DISABLED")
            if context.profile.isProduction {
                try require(token.issuedAt ?? 0 >= former.validSince ?? 0, "TOKEN_EXPIRED")
            }
            var account = former
            var facts = token.facts
            // The official emulator's tokens have them after a sign-in only.
            if !context.profile.isProduction { facts.attributes = nil }
            let tokens = Dictionary(uniqueKeysWithValues: self.tokens(&account, facts))
            try transaction.save(account, replacing: former)
            return .object(compacting: [
                ("id_token", tokens["idToken"]), ("access_token", tokens["idToken"]),
                ("expires_in", tokens["expiresIn"]), ("refresh_token", keptToken ?? tokens["refreshToken"]),
                ("token_type", "Bearer"), ("user_id", .string(account.localID)),
                ("project_id", .string(ProjectNumber.text)),
            ])
        }
    }

    /// `projects:createSessionCookie`: a cookie that lives as long as its maker wants, up to two weeks.
    func createSessionCookie() throws -> JSONText {
        let text = try require(try body.filled("idToken"), "MISSING_ID_TOKEN")
        let duration = try cookieSeconds()
        let user = try reading { transaction in try bearer(of: text, transaction) }
        guard case .object(var claims) = user.token, !BriefToken.isOne(user.token) else {
            throw AuthFailure.bad("INVALID_ID_TOKEN")
        }
        let now = context.clock.seconds
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + duration)
        claims["iss"] = .string("https://session.firebase.google.com/\(claims["aud"]?.string ?? scope.project)")
        let cookie = JSONWebToken.unsigned(JSONText(.object(claims)), isTyped: !context.profile.isProduction)
        return .object([("sessionCookie", .string(cookie))])
    }

    /// How long the cookie of the call lives.
    private func cookieSeconds() throws(AuthFailure) -> Int64 {
        guard let text = try body.text("validDuration"), let value = body["validDuration"] else {
            return Self.cookieSecondsMax
        }
        let given = Int64(text)
        if context.profile.isProduction, given == nil {
            throw .invalidValue(value, type: "TYPE_INT64", at: "valid_duration")
        }
        // The official emulator takes a zero for none.
        let isNone = (given ?? 0) == 0 && !context.profile.isProduction
        let seconds = isNone ? Self.cookieSecondsMax : given ?? 0
        try require((Self.cookieSecondsMin...Self.cookieSecondsMax).contains(seconds), "INVALID_DURATION")
        return seconds
    }

    /// Five minutes to two weeks (firebase.google.com/docs/auth/admin/manage-cookies, 2026-11).
    private static let cookieSecondsMin: Int64 = 300
    private static let cookieSecondsMax: Int64 = 1_209_600
}

/// The number of every project, as on the official emulator.
enum ProjectNumber {
    static let text = "12345"
}
