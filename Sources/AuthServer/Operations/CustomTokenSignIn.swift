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
        let text = try require(try body.filled("token"), "MISSING_CUSTOM_TOKEN")
        let payload = try Self.isJSON(text) ? Self.plainToken(text) : customToken(text)
        let named = payload["uid"]?.primitiveText ?? payload["user_id"]?.primitiveText
        let id = try require(named.flatMap { $0.isEmpty ? nil : $0 }, "MISSING_IDENTIFIER")
        var facts = SignInFacts(provider: ProviderName.custom)
        if let claims = payload["claims"] { facts.claims = try claims.checkedAsClaims() }
        return try writing { transaction in
            let former = try transaction.account(id: id)
            try require(former?.isDisabled != true, "USER_DISABLED")
            var account = former ?? Account(localID: id)
            if former == nil { account.createdAt = context.clock.milliseconds }
            account.usesCustomToken = true
            noteSignIn(of: &account, by: ProviderName.custom)
            account.tenantID = scope.tenant
            account.updateProviders()
            let tokens = tokens(&account, facts)
            try transaction.save(account, replacing: former)
            return .object(
                [
                    ("kind", "identitytoolkit#VerifyCustomTokenResponse"), ("isNewUser", .boolean(former == nil)),
                ] + tokens
            )
        }
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
