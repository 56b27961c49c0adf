// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// The user as an identity provider describes it; emulators take anything of the right form.
struct ProviderAssertion {
    let providerID: String
    /// The id of the user at the provider.
    let rawID: String
    /// The id of the user, with its provider where production names that.
    var federatedID: String
    var email: String?
    var isEmailVerified: Bool
    let displayName: String?
    let photoURL: String?
    let screenName: String?
    var rawUserInfo: String?
    /// Attributes of SAML, and further claims of OpenID Connect.
    var attributes: JSONValue?
    var idToken: String?
    var accessToken: String?
    /// A member that some answers have, without a use.
    var context: String? = ""
    /// The token with which the client can repeat the sign-in.
    var pendingToken: String?
    /// Members that say what came of it.
    var notes: [(String, JSONText?)] = []
    private let claims: JSONValue

    /// Creates the assertion that claims make.
    ///
    /// - Parameters:
    ///   - providerID: The id of the provider.
    ///   - rawID: The id of the user at the provider.
    ///   - claims: The claims.
    init(_ providerID: String, rawID: String, _ claims: JSONValue) {
        (self.providerID, self.rawID, self.claims) = (providerID, rawID, claims)
        federatedID = rawID
        email = claims.filled("email")?.lowercased()
        isEmailVerified = claims["email_verified"]?.isTruthy ?? false
        (displayName, photoURL) = (claims.filled("name"), claims.filled("picture"))
        screenName = claims.filled("screen_name")
    }

    /// Reads the assertion of a call as the official emulator does.
    init(_ parameters: AssertionParameters) throws(AuthFailure) {
        let provider = try parameters.provider.lowercased()
        let (idToken, accessToken) = (parameters["id_token"], parameters["access_token"])
        let claims = try Self.claims(idToken, accessToken, of: provider)
        self.init(provider, rawID: claims["sub"]?.string ?? "", claims)
        let saml = try SAMLAnswer(parameters["SAMLResponse"])
        self.idToken = idToken
        // One is always returned: SDKs make credentials of it for most providers.
        self.accessToken = accessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(provider)"
        attributes = saml?.attributes
        if provider.hasPrefix("saml.") {
            email = saml?.email ?? email
            isEmailVerified = true
        }
        if isGoogle { federatedID = "https://accounts.google.com/\(rawID)" }
        rawUserInfo = Self.rawUserInfo(provider, claims, saml)
    }

    // MARK: Claims

    private static func claims(
        _ idToken: String?,
        _ accessToken: String?,
        of provider: String
    ) throws(AuthFailure)
        -> JSONValue
    {
        if let idToken, let claims = try claims(idToken) { return claims }
        if let accessToken, let claims = try claims(accessToken) { return claims }
        if let idToken {
            throw .bad(
                "INVALID_IDP_RESPONSE : Unable to parse id_token: \(idToken) "
                    + "((Auth Emulator only accepts strict JSON or JWTs as fake id_tokens.))"
            )
        }
        guard accessToken != nil else {
            throw .notImplemented("The Auth Emulator only supports sign-in with credentials (id_token required).")
        }
        throw .notImplemented(
            provider == "google.com" || provider == "apple.com"
                ? "The Auth Emulator only support sign-in with \(provider) using id_token, not access_token. "
                    + "Please update your code to use id_token."
                : "The Auth Emulator does not support \(provider) sign-in with credentials."
        )
    }

    private static func claims(_ text: String) throws(AuthFailure) -> JSONValue? {
        guard !text.isEmpty else { return nil }
        let claims: JSONValue
        if text.hasPrefix("{") {
            guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
                throw .bad(
                    "INVALID_IDP_RESPONSE : Unable to parse id_token: \(text) "
                        + "((Auth Emulator failed to parse fake id_token as strict JSON.))"
                )
            }
            claims = json
        } else if let token = JSONWebToken(text) {
            claims = token.payload
        } else {
            return nil
        }
        try require(
            claims["sub"]?.isTruthy == true,
            "INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields. "
                + #"((Missing "sub" field. This field is required and must be a unique identifier.))"#
        )
        try require(claims["sub"]?.string != nil, #"INVALID_IDP_RESPONSE : ((The "sub" field must be a string.))"#)
        return claims
    }

    private static func rawUserInfo(_ provider: String, _ claims: JSONValue, _ saml: SAMLAnswer?) -> String? {
        if provider == "google.com" { return googleUserInfo(claims).rendered(isIndented: false) }
        if provider.hasPrefix("saml.") { return (saml?.attributes).map { String(decoding: $0.encoded, as: UTF8.self) } }
        return String(decoding: claims.encoded, as: UTF8.self)
    }

    private static func googleUserInfo(_ claims: JSONValue) -> JSONText {
        let email = claims.filled("email")?.lowercased()
        var scopes = "openid https://www.googleapis.com/auth/userinfo.profile"
        if email != nil { scopes += " https://www.googleapis.com/auth/userinfo.email" }
        return .object(compacting: [
            ("granted_scopes", .string(scopes)), ("id", claims.filled("sub").map(JSONText.string)),
            ("name", claims.filled("name").map(JSONText.string)),
            ("given_name", claims.filled("given_name").map(JSONText.string)),
            ("family_name", claims.filled("family_name").map(JSONText.string)),
            ("verified_email", .boolean(claims["email_verified"]?.isTruthy ?? false)), ("locale", "en"),
            ("email", email.map(JSONText.string)), ("picture", claims.filled("picture").map(JSONText.string)),
        ])
    }

    // MARK: Results

    /// The identity that the user has by it.
    var identity: LinkedProvider {
        var identity = LinkedProvider(providerID: providerID, rawID: rawID)
        // The id without its prefix, as production has it here.
        identity.federatedID = rawID
        (identity.displayName, identity.photoURL) = (displayName, photoURL)
        (identity.email, identity.screenName) = (email, screenName)
        return identity
    }

    private var isGoogle: Bool { providerID == "google.com" }

    /// The members of an answer.
    var answer: [(String, JSONText?)] {
        [
            ("kind", "identitytoolkit#VerifyAssertionResponse"), ("context", context.map(JSONText.string)),
            ("providerId", .string(providerID)), ("displayName", displayName.map(JSONText.string)),
            ("fullName", displayName.map(JSONText.string)), ("screenName", screenName.map(JSONText.string)),
            ("email", email.map(JSONText.string)), ("emailVerified", .boolean(isEmailVerified)),
            ("photoUrl", photoURL.map(JSONText.string)),
            ("firstName", isGoogle ? claims.filled("given_name").map(JSONText.string) : nil),
            ("lastName", isGoogle ? claims.filled("family_name").map(JSONText.string) : nil),
            ("rawUserInfo", rawUserInfo.map(JSONText.string)), ("federatedId", .string(federatedID)),
            ("oauthAccessToken", accessToken.map(JSONText.string)), ("oauthIdToken", idToken.map(JSONText.string)),
            ("pendingToken", pendingToken.map(JSONText.string)),
        ] + notes
    }
}

extension JSONValue {
    /// A text that is not empty.
    fileprivate func filled(_ name: String) -> String? {
        let text = self[name]?.string
        return text == "" ? nil : text
    }
}
