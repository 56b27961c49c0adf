// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

extension AuthOperations {
    /// The service that custom tokens are for
    /// (cloud.google.com/identity-platform/docs/use-rest-api, "Exchange custom token", 2026-11).
    private static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    /// `accounts:signInWithCustomToken`: with a token that the app's server made, or JSON in its place.
    func signInWithCustomToken() throws -> JSONText {
        _ = try enabledSettings()
        let text = try require(try body.text("token"), "MISSING_CUSTOM_TOKEN")
        let payload = try context.profile.isProduction ? customTokenOfProduction(text) : customTokenOfEmulator(text)
        let named = payload["uid"]?.primitiveText ?? payload["user_id"]?.primitiveText
        let id = try checkedID(named)
        let isBrief = try wantsBriefToken()
        var facts = SignInFacts(provider: ProviderName.custom)
        if let claims = payload["claims"] { facts.claims = try claims.checkedAsClaims() }
        return try writing { transaction in
            let former = try transaction.account(id: id)
            try require(former?.isDisabled != true, "USER_DISABLED")
            var account = former ?? Account(localID: id)
            if former == nil { account.createdAt = context.clock.milliseconds }
            account.usesCustomToken = true
            noteSignIn(of: &account, by: ProviderName.custom, isFirst: former == nil)
            account.tenantID = scope.tenant
            account.updateProviders()
            let tokens = tokens(&account, facts, isBrief: isBrief)
            try transaction.save(account, replacing: former)
            return .object(
                [
                    ("kind", "identitytoolkit#VerifyCustomTokenResponse"), ("isNewUser", .boolean(former == nil)),
                ] + tokens
            )
        }
    }

    private func checkedID(_ id: String?) throws(AuthFailure) -> String {
        let id = try require(id, "MISSING_IDENTIFIER")
        if context.profile.isProduction {
            try require(
                (1...Self.idLengthMax).contains(id.utf16.count),
                "INVALID_IDENTIFIER : Invalid user ID length. Expect to have length between 1 and \(Self.idLengthMax)."
            )
        }
        try require(!id.isEmpty, "MISSING_IDENTIFIER")
        return id
    }

    /// The longest user id (firebase.google.com/docs/auth/admin/create-custom-tokens, 2026-11).
    private static let idLengthMax = 128

    // MARK: As production takes them

    /// Returns the payload of a token, whose signature is not checked; its times and its issuer are.
    private func customTokenOfProduction(_ text: String) throws(AuthFailure) -> JSONValue {
        let partCount = text.split(separator: ".", omittingEmptySubsequences: false).count
        try require(
            partCount == 3,
            "INVALID_CUSTOM_TOKEN : Invalid assertion format. 3 dot separated segments required."
        )
        let payload = try require(JSONWebToken(text)?.payload, "INVALID_CUSTOM_TOKEN")
        try require(isCurrent(payload) && payload["aud"]?.string == Self.audience, "INVALID_CUSTOM_TOKEN")
        try require(payload["iss"] == payload["sub"], "INVALID_CUSTOM_TOKEN")
        try require(
            payload["tenant_id"]?.string == scope.tenant,
            "TENANT_ID_MISMATCH : Specified tenant ID does not match the custom token."
        )
        return payload
    }

    /// Whether a token lives now, and no longer than an hour.
    private func isCurrent(_ payload: JSONValue) -> Bool {
        guard let issuedAt = payload["iat"]?.integer, let end = payload["exp"]?.integer else { return false }
        let (now, leeway) = (context.clock.seconds, Self.leewaySeconds)
        // A token may say any number: the time is moved, not what it says.
        guard issuedAt <= now + leeway, now - leeway < end else { return false }
        let (lifetime, isOverflowing) = end.subtractingReportingOverflow(issuedAt)
        return !isOverflowing && lifetime <= IDToken.lifetimeSeconds
    }

    // MARK: As the official emulator takes them

    private func customTokenOfEmulator(_ text: String) throws(AuthFailure) -> JSONValue {
        try require(!text.isEmpty, "MISSING_CUSTOM_TOKEN")
        return try Self.isJSON(text) ? Self.plainToken(text) : customToken(text)
    }

    private static func isJSON(_ token: String) -> Bool { token.hasPrefix("{") }

    private static func plainToken(_ text: String) throws(AuthFailure) -> JSONValue {
        guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
            throw .bad(
                "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))"
            )
        }
        return json
    }

    private func customToken(_ text: String) throws(AuthFailure) -> JSONValue {
        let token = JSONWebToken(text)
        if let tenant = scope.tenant {
            try require(token?.payload["tenant_id"]?.string == tenant, "TENANT_ID_MISMATCH")
        }
        guard let token else { throw .bad("INVALID_CUSTOM_TOKEN : Invalid assertion format") }
        if token.algorithm != "none" {
            context.onWarning("A custom token with a signature was taken; signatures are not checked.")
        }
        let audience = token.payload["aud"]
        try require(
            audience?.string == Self.audience,
            "INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): \(audience?.primitiveText ?? "undefined") "
                + "Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))"
        )
        return token.payload
    }
}
