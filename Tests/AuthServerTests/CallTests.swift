// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSON
import Testing

@testable import AuthServer

@Suite struct CallTests {
    let auth: AuthFixture
    private static let signUp = "/identitytoolkit.googleapis.com/v1/accounts:signUp"

    init() throws { auth = try AuthFixture() }

    @Test func `a call without key or credentials is refused, and one with a stranger's token`() async throws {
        let path = "/identitytoolkit.googleapis.com/v1/projects/demo/accounts:lookup"
        let none = try await auth.call(.post, Self.signUp + "?key=", headers: ["X": "y"])
        #expect(none.status == 403)
        let foreign = try await auth.call(.post, path, headers: ["Authorization": "Bearer eyJ.e.f"])
        #expect(foreign.status == 401)
        #expect(foreign["error"]?["status"]?.string == "UNAUTHENTICATED")
        let unprivileged = try await auth.call(.post, path)
        let refusal = "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
        #expect(unprivileged.refusal == refusal)
        #expect(try await auth.call(.get, "/nowhere").status == 404)
    }

    @Test(arguments: [AuthProfile.emulator, .production])
    func `names with a zero byte are refused`(_ profile: AuthProfile) async throws {
        let auth = try AuthFixture(profile: profile)
        let tenants = "/identitytoolkit.googleapis.com/v2/projects/demo/tenants"
        let tenant = try await auth.call(.post, tenants, #"{"displayName":"\u0000"}"#, asAdministrator: true)
        #expect(tenant.status == (profile == .production ? 400 : 200))
        let user = try await auth.accounts("signUp", #"{"tenantId":"a\u0000b"}"#)
        #expect(user.refusal == "INVALID_TENANT_ID")
        #expect(try await auth.register("a@b\\u0000").refusal == "INVALID_EMAIL")
    }

    @Test(
        "bodies of every form that clients send are read",
        arguments: [
            ("application/json", #"{"grant_type":"refresh_token","refresh_token":"TOKEN"}"#),
            ("application/json", #"{"grantType":"refresh_token","refreshToken":"TOKEN"}"#),
            ("application/x-www-form-urlencoded", "grant_type=refresh_token&refresh_token=TOKEN"),
        ]
    )
    func bodies(type: String, body: String) async throws {
        let token = try await auth.register("a@b.c").text("refreshToken")
        let answer = try await auth.call(
            .post,
            "/securetoken.googleapis.com/v1/token",
            body.replacing("TOKEN", with: type.hasSuffix("json") ? token : token.replacing("+", with: "%2B")),
            headers: ["Content-Type": type]
        )
        #expect(answer.text("token_type") == "Bearer")
        #expect(answer["id_token"] == answer["access_token"])
    }

    @Test(
        "bodies that are no JSON objects are refused",
        arguments: ["[]", "1", "{", #"{"a":}"#, "\u{0}", #"{"email":"a@b","password":{}}"#]
    )
    func brokenBodies(body: String) async throws {
        let answer = try await auth.call(.post, Self.signUp, body)
        #expect(answer.status == 400)
        #expect(answer["error"]?["status"]?.string == "INVALID_ARGUMENT")
    }

    @Test func `pages of any origin may call`() async throws {
        let answer = try await auth.call(
            .options,
            Self.signUp,
            headers: ["Origin": "http://app", "Access-Control-Request-Headers": "X-Client-Version"]
        )
        #expect(answer.status == 204)
        #expect(answer.headers[.accessControlAllowOrigin] == "http://app")
        #expect(answer.headers[.accessControlAllowHeaders] == "X-Client-Version")
    }

    @Test func `the time is set, stands still, and runs again`() async throws {
        let set = try await auth.call(
            .patch,
            "/emulator/v1/clock",
            #"{"time":"2030-01-01T00:00:00.000Z","frozen":true}"#
        )
        #expect(set.text("time") == "2030-01-01T00:00:00.000Z")
        let token = try #require(JSONWebToken(try await auth.register("a@b.c").text("idToken")))
        #expect(token.payload["iat"]?.integer == 1_893_456_000)
        #expect(try await auth.call(.delete, "/emulator/v1/clock").text("time") == "2025-12-06T05:46:40.000Z")
    }

    @Test func `identity providers are set up, listed and removed`() async throws {
        let path = "/identitytoolkit.googleapis.com/v2/projects/demo/oauthIdpConfigs"
        func ask(_ method: HTTPRequest.Method, _ path: String, _ body: String = "{}") async throws -> AuthAnswer {
            try await auth.call(method, path, body, asAdministrator: true)
        }
        let created = try await ask(
            .post,
            "\(path)?oauthIdpConfigId=oidc.x",
            #"{"clientId":"c","issuer":"https://i"}"#
        )
        #expect(created.text("name") == "projects/demo/oauthIdpConfigs/oidc.x")
        #expect(try await ask(.post, "\(path)?oauthIdpConfigId=saml.x").refusal == "INVALID_CONFIG_ID")
        let changed = try await ask(
            .patch,
            "\(path)/oidc.x?updateMask=clientId",
            #"{"clientId":"d","issuer":"other"}"#
        )
        #expect(changed.text("clientId") == "d")
        #expect(changed.text("issuer") == "https://i")
        #expect(try await ask(.get, path)["oauthIdpConfigs"]?.array?.count == 1)
        #expect(try await ask(.delete, "\(path)/oidc.x").status == 200)
        #expect(try await ask(.get, "\(path)/oidc.x").status == 404)
    }

    @Test(
        "a mask names the members of a change",
        arguments: [
            ("a", #"{"a":1,"b":2}"#), ("a,b", #"{"a":1,"b":3}"#), ("c.d", #"{"a":0,"b":2,"c":{"d":4}}"#),
            ("e", #"{"a":0,"b":2}"#), ("a.x", #"{"a":0,"b":2}"#),
        ]
    )
    func masks(mask: String, result: String) throws {
        let value = try JSONValue(parsing: Array(#"{"a":0,"b":2}"#.utf8))
        let update = try JSONValue(parsing: Array(#"{"a":1,"b":3,"c":{"d":4,"f":5}}"#.utf8))
        let expected = try JSONValue(parsing: Array(result.utf8))
        #expect(FieldMask(mask)?.copy(from: update, into: value) == expected)
    }

    @Test(
        "URLs are taken as browsers take them",
        arguments: [
            ("http://localhost", true), ("https://a.b/c?d#e", true), ("custom-scheme:x", true), ("/relative", false),
            ("localhost", false), ("http://", false), ("", false), ("1http://x", false),
        ]
    )
    func urls(text: String, isAbsolute: Bool) { #expect(AbsoluteURL.isOne(text) == isAbsolute) }
}

@Suite struct AppURLTests {
    @Test(
        "browsers are sent to apps, and to nothing that runs",
        arguments: [
            ("http://app/x", true), ("myapp://open", true), ("/welcome", true), ("javascript:alert(1)", false),
            ("DATA:text/html,x", false), ("vbscript:x", false), ("welcome", false),
        ]
    )
    func openable(url: String, isOpenable: Bool) { #expect(AppURL.canBeOpened(url) == isOpenable) }

    @Test(
        "parameters replace those of their names",
        arguments: [
            ("http://a/", "http://a/?mode=signIn"), ("http://a/?mode=old&x=1#y", "http://a/?x=1&mode=signIn#y"),
            ("http://a/é b", "http://a/%C3%A9%20b?mode=signIn"),
            ("http://a/\r\nX: y", "http://a/%0D%0AX:%20y?mode=signIn"),
        ]
    )
    func parameters(url: String, result: String) {
        #expect(AppURL(url).adding([("mode", "signIn")]).text == result)
    }
}
