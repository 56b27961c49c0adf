// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSON
import Testing

@testable import AuthServer

@Suite struct ProductionSettingsTests {
    struct Refusal: Sendable {
        let mask: String
        let body: String
        let message: String
    }

    let auth: AuthFixture
    private static let project = "/identitytoolkit.googleapis.com/v2/projects/demo"

    init() throws { auth = try AuthFixture(profile: .production) }

    private func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String = "{}"
    ) async throws -> AuthAnswer {
        try await auth.call(method, Self.project + path, body, asAdministrator: true)
    }

    private func patch(_ mask: String, _ body: String) async throws -> AuthAnswer {
        try await ask(.patch, "/config?updateMask=\(mask)", body)
    }

    @Test func `members that are false are left out, and those that a mask names without a value are cleared`()
        async throws
    {
        let path = "client.permissions.disabledUserSignup"
        let on = try await patch(path, #"{"client":{"permissions":{"disabledUserSignup":1}}}"#)
        #expect(on["client"]?["permissions"] == .object(["disabledUserSignup": .bool(true)]))
        let cleared = try await patch(path, "{}")
        #expect(cleared["client"]?["permissions"] == .object([:]))
        let off = try await patch("signIn.email.enabled", #"{"signIn":{"email":{"enabled":false}}}"#)
        #expect(off["signIn"]?["email"] == .object([:]))
        let refused = try await auth.call(
            .post,
            "/identitytoolkit.googleapis.com/v1/accounts:signUp",
            #"{"email":"a@b.c","password":"secret1"}"#
        )
        #expect(refused.refusal == "OPERATION_NOT_ALLOWED")
    }

    @Test func `members that only production sets, and unknown ones, are not changed by a mask`() async throws {
        let before = try await ask(.get, "/config")
        #expect(try await patch("name,unknownMember,signIn.unknownMember", #"{"name":"x"}"#).body == before.body)
        #expect(before["signIn"]?["hashConfig"]?["rounds"] == .integer(8))
    }

    @Test(
        "values are checked, and refused with their place",
        arguments: [
            Refusal(
                mask: "emailPrivacyConfig",
                body: #"{"emailPrivacyConfig":{"x":true}}"#,
                message:
                    "Invalid JSON payload received. Unknown name \"x\" at 'config.email_privacy_config': Cannot find field."
            ),
            Refusal(
                mask: "mfa",
                body: #"{"mfa":{"enabledProviders":["FAX"]}}"#,
                message: "Invalid value at 'config.mfa.enabled_providers[0]' (type.googleapis.com/google.cloud."
                    + "identitytoolkit.admin.v2.MultiFactorAuthConfig.Provider), \"FAX\""
            ),
            Refusal(
                mask: "authorizedDomains",
                body: #"{"authorizedDomains":["a.example:80"]}"#,
                message: "INVALID_AUTHORIZED_DOMAIN : a.example:80 should only contain the valid domain."
            ),
            Refusal(
                mask: "signIn.phoneNumber.testPhoneNumbers",
                body: #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"16505550101":"123456"}}}}"#,
                message: "INVALID_PHONE_NUMBER : Invalid format."
            ),
            Refusal(
                mask: "smsRegionConfig",
                body: #"{"smsRegionConfig":{"allowlistOnly":{"allowedRegions":["ZZ"]}}}"#,
                message: "INVALID_REGION_CODE : Invalid region code."
            ),
            Refusal(
                mask: "passwordPolicyConfig.passwordPolicyEnforcementState",
                body: #"{"passwordPolicyConfig":{"passwordPolicyEnforcementState":"ENFORCE"}}"#,
                message: "INVALID_CONFIG : Policy versions list must be of length 1"
            ),
        ]
    )
    func refusal(_ row: Refusal) async throws {
        let answer = try await patch(row.mask, row.body)
        #expect(answer.status == 400)
        #expect(answer.refusal == row.message)
        let before = try await AuthFixture(profile: .production)
            .call(.get, Self.project + "/config", asAdministrator: true)
        #expect(try await ask(.get, "/config").body == before.body)
    }

    @Test func `phone numbers for tests may have letters of a keypad`() async throws {
        let body = #"{"signIn":{"phoneNumber":{"testPhoneNumbers":{"+1650555abcd":"123456"}}}}"#
        let answer = try await patch("signIn.phoneNumber.testPhoneNumbers", body)
        let numbers = answer["signIn"]?["phoneNumber"]?["testPhoneNumbers"]
        #expect(numbers == .object(["+16505552223": .string("123456")]))
    }

    @Test func `regions are allowed by default, or only those of a list`() async throws {
        #expect(try await ask(.get, "/config")["smsRegionConfig"] == .object(["allowByDefault": .object([:])]))
        let body = #"{"smsRegionConfig":{"allowlistOnly":{"allowedRegions":["JP"]}}}"#
        let answer = try await patch("smsRegionConfig.allowlistOnly.allowedRegions", body)
        let regions = JSONValue.object(["allowedRegions": .array([.string("JP")])])
        #expect(answer["smsRegionConfig"] == .object(["allowlistOnly": regions]))
        let other = try await patch("smsRegionConfig.allowByDefault", #"{"smsRegionConfig":{"allowByDefault":{}}}"#)
        #expect(other["smsRegionConfig"] == .object(["allowByDefault": .object([:])]))
    }

    @Test func `a password policy is answered with what is set`() async throws {
        let path = "/identitytoolkit.googleapis.com/v2/passwordPolicy"
        let none = try await auth.call(.get, path)
        #expect(none["customStrengthOptions"]?["maxPasswordLength"] == .integer(4_096))
        #expect(none.text("enforcementState") == "ENFORCE")
        let versions = #"[{"customStrengthOptions":{"minPasswordLength":8,"containsNumericCharacter":false}}]"#
        let state = #""passwordPolicyEnforcementState":"OFF""#
        let body = #"{"passwordPolicyConfig":{\#(state),"passwordPolicyVersions":\#(versions)}}"#
        let set = try await patch("passwordPolicyConfig", body)
        #expect(set["passwordPolicyConfig"]?["lastUpdateTime"] != nil)
        #expect(set["passwordPolicyConfig"]?["passwordPolicyVersions"]?.array?.first?["schemaVersion"] == .integer(1))
        let policy = try await auth.call(.get, path)
        #expect(policy["customStrengthOptions"] == .object(["minPasswordLength": .integer(8)]))
        #expect(policy.text("enforcementState") == "OFF")
    }

    @Test(
        "names of tenants are checked",
        arguments: [
            ("Abc-1", nil), ("abc", "INVALID_DISPLAY_NAME"), ("1abc", "INVALID_DISPLAY_NAME"),
            ("", "MISSING_DISPLAY_NAME"),
        ] as [(String, String?)]
    )
    func tenantName(name: String, refusal: String?) async throws {
        let answer = try await ask(.post, "/tenants", #"{"displayName":"\#(name)"}"#)
        #expect(answer.refusal?.split(separator: " ").first.map(String.init) == refusal)
        if refusal == nil {
            #expect(answer.body.members?.keys.sorted() == ["displayName", "inheritance", "name"])
        }
    }

    @Test func `a tenant protects addresses by its own setting, and is not there where the project has none`()
        async throws
    {
        let tenant = try await ask(.post, "/tenants", #"{"displayName":"abcd","allowPasswordSignup":true}"#)
        let id = tenant.text("name").split(separator: "/").last.map(String.init) ?? ""
        let signIn = #"{"email":"a@b.c","password":"secret1","tenantId":"\#(id)"}"#
        let path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword"
        #expect(try await auth.call(.post, path, signIn).refusal == "EMAIL_NOT_FOUND")
        let on = #"{"emailPrivacyConfig":{"enableImprovedEmailPrivacy":true}}"#
        _ = try await ask(.patch, "/tenants/\(id)?updateMask=emailPrivacyConfig", on)
        #expect(try await auth.call(.post, path, signIn).refusal == "INVALID_LOGIN_CREDENTIALS")
        _ = try await patch("multiTenant", "{}")
        #expect(try await ask(.get, "/tenants").refusal == "INVALID_PROJECT_ID")
    }

    @Test(
        "providers of OpenID Connect are checked",
        arguments: [
            ("oidc.ab", #"{"clientId":"c","issuer":"https://a.example"}"#, ""),
            ("oidc.a", #"{"clientId":"c","issuer":"https://a.example"}"#, "INVALID_CONFIG_ID"),
            ("oidc.ab", #"{"issuer":"https://a.example"}"#, "MISSING_OAUTH_CLIENT_ID"),
            ("oidc.ab", #"{"clientId":"c","issuer":"http://a.example"}"#, "INVALID_ISSUER"),
            (
                "oidc.ab", #"{"clientId":"c","issuer":"https://a.example","responseType":{"code":true}}"#,
                "INVALID_CONFIG"
            ),
        ] as [(String, String, String)]
    )
    func provider(id: String, body: String, refusal: String) async throws {
        let path = "/oauthIdpConfigs?oauthIdpConfigId=\(id)"
        let answer = try await ask(.post, path, body)
        #expect((answer.refusal ?? "").prefix { $0 != " " } == refusal)
        guard refusal.isEmpty else { return }
        #expect(answer["responseType"] == .object(["idToken": .bool(true)]))
        #expect(try await ask(.post, path, body).status == 409)
    }
}
