// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSON
import Testing

@testable import AuthServer

/// Sign-in with identity providers in production's profile.
@Suite struct ProviderSignInTests {
    let auth: AuthFixture

    init() throws { auth = try AuthFixture(profile: .production) }

    private static let claims =
        #""iss":"https://issuer.example","aud":"app","iat":1765000000,"exp":1765003600,"email":"a@example.com""#
        + #","email_verified":true"#
    private static let token = #"{"sub":"s1",\#(claims),"role":"editor"}"#
    private static let stale = "INVALID_IDP_RESPONSE : ID Token issued at 1764990000 is stale to sign-in."
    /// The SHA-256 of "raw" is in the claim of the token.
    private static let nonce = SHA256.hexadecimal(of: "raw")

    private func setUp(_ collection: String, _ parameter: String, _ id: String, _ config: String) async throws {
        let answer = try await auth.call(
            .post,
            "/identitytoolkit.googleapis.com/v2/projects/demo/\(collection)?\(parameter)=\(id)",
            config,
            asAdministrator: true
        )
        #expect(answer.status == 200)
    }

    private func setUpOpenID(_ id: String = "oidc.one", isEnabled: Bool = true) async throws {
        let config =
            #"{"clientId":"app","issuer":"https://issuer.example","enabled":\#(isEnabled),"responseType":{"idToken":true}}"#
        try await setUp("oauthIdpConfigs", "oauthIdpConfigId", id, config)
    }

    private func setUpSAML() async throws {
        let config = #"""
            {"idpConfig":{"idpEntityId":"idp","ssoUrl":"https://idp.example/sso","idpCertificates":[{"x509Certificate":"c"}]},
            "spConfig":{"spEntityId":"sp","callbackUri":"https://app.example/back"},"enabled":true}
            """#
        try await setUp("inboundSamlConfigs", "inboundSamlConfigId", "saml.one", config)
    }

    /// Signs in with a form, whose values need no escapes but those of JSON.
    private func signIn(_ form: [(String, String)], more: String = "") async throws -> AuthAnswer {
        let text = form.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        let body =
            #"{"requestUri":"http://localhost","postBody":\#(JSONText.quoted(text)),"returnSecureToken":true\#(more)}"#
        return try await auth.accounts("signInWithIdp", body)
    }

    private func signIn(_ token: String, nonce: String = "", more: String = "") async throws -> AuthAnswer {
        try await signIn([("providerId", "oidc.one"), ("id_token", token), ("nonce", nonce)], more: more)
    }

    @Test(
        "a provider has to be set up and switched on",
        arguments: [
            ("oidc.none", "not found"), ("oidc.off", "disabled"), ("saml.none", "not found"),
            ("google.com", "not found"),
            ("OIDC.off", "not found"),
        ]
    )
    func configuration(provider: String, state: String) async throws {
        try await setUpOpenID("oidc.off", isEnabled: false)
        let answer = try await signIn([("providerId", provider), ("id_token", Self.token)])
        #expect(answer.refusal == "OPERATION_NOT_ALLOWED : The identity provider configuration is \(state).")
        let body = #"{"providerId":"\#(provider)","continueUri":"https://app.example"}"#
        #expect(try await auth.accounts("createAuthUri", body).refusal == answer.refusal)
    }

    private static let refusedTokens: [(String, String)] = [
        (
            #"{"sub":"s1","iss":"https://other.example","aud":"app","iat":1765000000,"exp":1765003600}"#,
            "INVALID_IDP_RESPONSE : The issuer in ID Token https://other.example does not match the expected one in "
                + "config: https://issuer.example."
        ),
        (
            #"{"sub":"s1","iss":"https://issuer.example","aud":["x","y"],"iat":1765000000,"exp":1765003600}"#,
            "INVALID_IDP_RESPONSE : The audience in ID Token [x, y] does not match the expected audience app."
        ),
        (#"{"sub":"s1","iss":"https://issuer.example","aud":"app","iat":1764990000,"exp":1764993600}"#, stale),
        (
            #"{"iss":"https://issuer.example","aud":"app","iat":1765000000,"exp":1765003600}"#,
            "INVALID_IDP_RESPONSE : ID Token does not contain user's identity in 'sub' claim: "
                + #"{"aud":"app","exp":1765003600,"iat":1765000000,"iss":"https://issuer.example"}"#
        ),
        ("garbage", "INVALID_IDP_RESPONSE : Unable to parse the ID Token."),
        (
            "",
            "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
                + "http://localhost?providerId=oidc.one&id_token=&nonce="
        ),
    ]

    @Test("tokens of others, and old ones, are refused", arguments: refusedTokens)
    func refusedToken(token: String, message: String) async throws {
        try await setUpOpenID()
        #expect(try await signIn(token).refusal == message)
    }

    @Test func `a token with a nonce counts once, and with its nonce only`() async throws {
        try await setUpOpenID()
        let token = #"{"sub":"s1",\#(Self.claims),"nonce":"\#(Self.nonce)"}"#
        let missing = try await signIn(token)
        #expect(missing.refusal == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
        let other = try await signIn(token, nonce: "other")
        #expect(other.refusal?.hasPrefix("MISSING_OR_INVALID_NONCE : The nonce in ID Token") == true)
        #expect(try await signIn(token, nonce: "raw").status == 200)
        let again = try await signIn(token, nonce: "raw")
        #expect(again.refusal?.hasPrefix("MISSING_OR_INVALID_NONCE : Duplicate credential received.") == true)
    }

    @Test func `a pending token signs in again, and refreshed tokens keep the provider's claims`() async throws {
        try await setUpOpenID()
        let first = try await signIn(Self.token)
        #expect(first.text("federatedId") == "oidc.one/s1")
        #expect(first["context"] == nil)
        #expect(first["oauthAccessToken"] == nil)
        let body = #"{"requestUri":"http://localhost","pendingToken":"\#(first.text("pendingToken"))"}"#
        let second = try await auth.accounts("signInWithIdp", body)
        #expect(second["localId"] == first["localId"])
        let refreshed = try await auth.call(
            .post,
            "/securetoken.googleapis.com/v1/token",
            #"{"grant_type":"refresh_token","refresh_token":"\#(first.text("refreshToken"))"}"#
        )
        let token = try #require(JSONWebToken(refreshed.text("id_token")))
        #expect(token.payload["firebase"]?["sign_in_attributes"]?["role"]?.string == "editor")
    }

    @Test func `a second identity of a linked provider is refused`() async throws {
        try await setUpOpenID()
        let first = try await signIn(Self.token)
        let other = #"{"sub":"s2","iss":"https://issuer.example","aud":"app","iat":1765000000,"exp":1765003600}"#
        let linked = try await signIn(other, more: #","idToken":"\#(first.text("idToken"))""#)
        #expect(linked.refusal == "PROVIDER_ALREADY_LINKED")
    }

    @Test(
        "SAML needs no ID token, and verifies addresses only",
        arguments: [("b@example.com", true), ("persistent-1", false)]
    )
    func saml(nameID: String, isVerified: Bool) async throws {
        try await setUpSAML()
        let response = #"{"assertion":{"subject":{"nameId":"\#(nameID)"}}}"#
        let answer = try await signIn([("providerId", "saml.one"), ("SAMLResponse", response)])
        #expect(answer.text("federatedId") == "saml.one/\(nameID)")
        #expect(answer["emailVerified"]?.boolean == isVerified)
        #expect(answer["oauthIdToken"] == nil)
    }

    @Test(
        "apps are sent to providers with a request",
        arguments: [
            (
                "oidc.one",
                "https://issuer.example/authorize?response_type=id_token&client_id=app"
                    + "&redirect_uri=https://app.example/back&state="
            ), ("saml.one", "https://idp.example/sso?SAMLRequest="),
        ]
    )
    func address(provider: String, beginning: String) async throws {
        try await setUpOpenID()
        try await setUpSAML()
        let body = #"{"providerId":"\#(provider)","continueUri":"https://app.example/back"}"#
        let answer = try await auth.accounts("createAuthUri", body)
        #expect(answer.text("authUri").hasPrefix(beginning))
        #expect(!answer.text("sessionId").isEmpty)
        let incomplete = try await auth.accounts("createAuthUri", #"{"providerId":"\#(provider)"}"#)
        #expect(incomplete.refusal == "MISSING_CONTINUE_URI")
    }
}
