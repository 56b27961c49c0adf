// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import Wire

/// The user as an identity provider describes it; emulators take anything of the right form.
struct ProviderAssertion {
    let providerID: String
    /// The id of the user at the provider.
    let rawID: String
    let email: String?
    var isEmailVerified: Bool
    let displayName: String?
    let photoURL: String?
    let screenName: String?
    let rawUserInfo: String?
    /// Attributes of SAML.
    let attributes: JSONValue?
    let idToken: String?
    let accessToken: String
    /// Members that say what came of it.
    var notes: [(String, JSONText?)] = []
    private let claims: JSONValue

    /// Reads the assertion of a call.
    init(_ body: AuthBody) throws(AuthFailure) {
        let parameters = try AssertionParameters(body)
        let provider = parameters["providerId"]?.lowercased() ?? ""
        try require(
            !provider.isEmpty,
            "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: \(parameters.url)"
        )
        providerID = provider
        idToken = parameters["id_token"]
        let givenAccessToken = parameters["access_token"]
        // One is always returned: SDKs make credentials of it for most providers.
        accessToken = givenAccessToken ?? "FirebaseAuthEmulatorFakeAccessToken_\(provider)"
        let claims = try Self.claims(idToken, givenAccessToken, of: provider)
        self.claims = claims
        rawID = claims["sub"]?.string ?? ""
        let saml = try SAMLAnswer(parameters["SAMLResponse"])
        attributes = saml?.attributes
        let isSAML = provider.hasPrefix("saml.")
        let nameID = saml.flatMap { AccountRules.isEmail($0.nameID) ? $0.nameID : nil }
        email = (isSAML ? nameID : nil) ?? claims.filled("email")?.lowercased()
        isEmailVerified = isSAML || claims["email_verified"]?.isTruthy ?? false
        (displayName, photoURL) = (claims.filled("name"), claims.filled("picture"))
        screenName = claims.filled("screen_name")
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

    /// The members of an answer.
    var answer: [(String, JSONText?)] {
        let isGoogle = providerID == "google.com"
        let federatedID = isGoogle ? "https://accounts.google.com/\(rawID)" : rawID
        return [
            ("kind", "identitytoolkit#VerifyAssertionResponse"), ("context", ""),
            ("providerId", .string(providerID)), ("displayName", displayName.map(JSONText.string)),
            ("fullName", displayName.map(JSONText.string)), ("screenName", screenName.map(JSONText.string)),
            ("email", email.map(JSONText.string)), ("emailVerified", .boolean(isEmailVerified)),
            ("photoUrl", photoURL.map(JSONText.string)),
            ("firstName", isGoogle ? claims.filled("given_name").map(JSONText.string) : nil),
            ("lastName", isGoogle ? claims.filled("family_name").map(JSONText.string) : nil),
            ("rawUserInfo", rawUserInfo.map(JSONText.string)), ("federatedId", .string(federatedID)),
            ("oauthAccessToken", .string(accessToken)), ("oauthIdToken", idToken.map(JSONText.string)),
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

/// An answer of SAML, as JSON in the place of signed XML.
private struct SAMLAnswer {
    let nameID: String
    let attributes: JSONValue?

    /// Returns `nil` without an answer.
    init?(_ text: String?) throws(AuthFailure) {
        guard let text, !text.isEmpty else { return nil }
        guard let json = try? JSONValue(parsing: Array(text.utf8)) else {
            throw .bad("INVALID_IDP_RESPONSE ((SAMLResponse is not strict JSON.))")
        }
        guard let assertion = json["assertion"] else {
            throw .bad("INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))")
        }
        guard let subject = assertion["subject"] else {
            throw .bad("INVALID_IDP_RESPONSE ((Missing assertion.subject in SAMLResponse.))")
        }
        guard let nameID = subject["nameId"]?.string, !nameID.isEmpty else {
            throw .bad("INVALID_IDP_RESPONSE ((Missing assertion.subject.nameId in SAMLResponse.))")
        }
        self.nameID = nameID
        attributes = assertion["attributeStatements"]
    }
}

/// The parameters of a call that an identity provider sent by way of the client: of a URL, a form and a fragment together.
private struct AssertionParameters {
    private var values: [(name: String, value: String)] = []
    let url: String

    init(_ body: AuthBody) throws(AuthFailure) {
        let uri = try require(try body.filled("requestUri"), "MISSING_REQUEST_URI")
        try require(AbsoluteURL.isOne(uri), "INVALID_REQUEST_URI")
        let parts = uri.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        url = String(parts[0])
        let query = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        for form in [query.map(String.init), try body.filled("postBody"), parts.dropFirst().first.map(String.init)] {
            guard let form, let parsed = RequestTarget("?" + form) else { continue }
            for (name, value) in parsed.query {
                values.removeAll { $0.name == name }
                values.append((name, value))
            }
        }
    }

    subscript(name: String) -> String? {
        let value = values.first { $0.name == name }?.value
        return value == "" ? nil : value
    }
}
