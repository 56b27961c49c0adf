// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import AuthServer

@Suite struct RouteTests {
    private static let toolkit = "/identitytoolkit.googleapis.com"

    @Test(
        "paths name methods",
        arguments: [
            ("POST", "\(toolkit)/v1/accounts:signUp", .signUp, nil, nil),
            ("POST", "\(toolkit)/v1/projects/p%20q/accounts:lookup", .lookup, "p q", nil),
            ("POST", "\(toolkit)/v1/projects/p:createSessionCookie", .createSessionCookie, "p", nil),
            ("POST", "\(toolkit)/v1/projects/p/tenants/t:createSessionCookie", .createSessionCookie, "p", "t"),
            ("POST", "\(toolkit)/v1/projects/p/tenants/t/accounts", .signUp, "p", "t"),
            ("GET", "\(toolkit)/v1/projects", .getProjectConfig, nil, nil),
            ("GET", "\(toolkit)/v2/projects/p/config", .getConfig, "p", nil),
            ("GET", "\(toolkit)/admin/v2/projects/p/config", .getConfig, "p", nil),
            ("DELETE", "\(toolkit)/v2/projects/p/tenants/t", .deleteTenant, "p", "t"),
            ("POST", "\(toolkit)/v2/accounts/mfaEnrollment:start", .startEnrollment, nil, nil),
            ("PATCH", "\(toolkit)/v2/projects/p/oauthIdpConfigs/oidc.x", .updateProvider, "p", nil),
            ("POST", "/securetoken.googleapis.com/v1/token", .token, nil, nil),
            (
                "POST", "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword", .signInWithPassword, nil,
                nil
            ),
            ("DELETE", "/emulator/v1/projects/p/tenants/t/accounts", .emulatorDeleteAccounts, "p", "t"),
            ("GET", "/emulator/v1/projects/p/oobCodes", .emulatorListActionCodes, "p", nil),
            ("PATCH", "/emulator/v1/clock", .emulatorSetClock, nil, nil),
        ] as [(String, String, AuthMethod, String?, String?)]
    )
    func paths(verb: String, path: String, found: AuthMethod, project: String?, tenant: String?) throws {
        let method = try #require(HTTPRequest.Method(verb))
        let route = try #require(AuthRoute(method, path: path[...]))
        #expect(route.method == found)
        #expect(route.project == project)
        #expect(route.tenant == tenant)
    }

    @Test(
        "other paths name none",
        arguments: [
            ("GET", "/"), ("GET", "\(toolkit)/v1/accounts:signUp"), ("POST", "\(toolkit)/v3/accounts:signUp"),
            ("POST", "\(toolkit)/v1/accounts:fly"), ("POST", "\(toolkit)/v1/projects//accounts"),
            ("GET", "/securetoken.googleapis.com/v1/token"), ("POST", "/emulator/v1/projects/p"),
            ("DELETE", "/emulator/v1/projects/p/x/t/accounts"), ("GET", "\(toolkit)/v2/projects/p/other/x"),
        ]
    )
    func others(verb: String, path: String) throws {
        #expect(AuthRoute(try #require(HTTPRequest.Method(verb)), path: path[...]) == nil)
    }
}
