// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSON
import Testing

@testable import AuthServer

/// Codes by e-mail, as they were recorded against production in September 2026.
@Suite struct ProductionCodesTests {
    let auth: AuthFixture

    init() throws { auth = try AuthFixture(profile: .production) }

    private static let domain = "https://demo.firebaseapp.com/end"

    /// Asks for a link as an administrator.
    private func link(_ type: String, _ more: String = "") async throws -> AuthAnswer {
        try await auth.accounts(
            "sendOobCode",
            #"{"requestType":"\#(type)","email":"a@b.c","returnOobLink":true\#(more)}"#,
            asAdministrator: true
        )
    }

    private func reset(_ code: String, password: String? = nil) async throws -> AuthAnswer {
        let more = password.map { #","newPassword":"\#($0)""# } ?? ""
        return try await auth.accounts("resetPassword", #"{"oobCode":"\#(code)"\#(more)}"#)
    }

    private func update(_ body: String) async throws -> AuthAnswer { try await auth.accounts("update", body) }

    @Test(arguments: ["PASSWORD_RESET", "EMAIL_SIGNIN"])
    func `the latest code of a kind is the one that counts`(_ type: String) async throws {
        _ = try await auth.register("a@b.c")
        let (first, second) = (try await link(type).text("oobCode"), try await link(type).text("oobCode"))
        #expect(try await reset(first).refusal == "INVALID_OOB_CODE")
        #expect(try await reset(second).status == 200)
    }

    @Test func `a code to reset a password lives for an hour`() async throws {
        _ = try await auth.register("a@b.c")
        let code = try await link("PASSWORD_RESET").text("oobCode")
        auth.advance(seconds: 3_600)
        #expect(try await reset(code).status == 200)
        auth.advance(seconds: 1)
        #expect(try await reset(code, password: "another1").refusal == "EXPIRED_OOB_CODE")
    }

    @Test func `a code stays with its user, whose address has changed`() async throws {
        let user = try await auth.register("a@b.c").text("localId")
        let verification = try await link("VERIFY_EMAIL").text("oobCode")
        let change = try await link("VERIFY_AND_CHANGE_EMAIL", #","newEmail":"new@b.c""#).text("oobCode")
        let byAdministrator = #"{"localId":"\#(user)","email":"other@b.c"}"#
        #expect(try await auth.accounts("update", byAdministrator, asAdministrator: true)["newEmail"] == nil)
        #expect(try await update(#"{"oobCode":"\#(verification)"}"#).refusal == "EMAIL_NOT_FOUND")
        #expect(try await update(#"{"oobCode":"\#(change)"}"#).text("email") == "new@b.c")
    }

    @Test func `a code of another kind is refused by an update, and not used`() async throws {
        _ = try await auth.register("a@b.c")
        let code = try await link("PASSWORD_RESET").text("oobCode")
        #expect(try await update(#"{"oobCode":"\#(code)"}"#).refusal == "INVALID_OOB_CODE")
        #expect(try await reset(code).status == 200)
    }

    @Test func `an update with a token and a code is one of the token's user`() async throws {
        let token = try await auth.register("d@e.f").text("idToken")
        _ = try await auth.register("a@b.c")
        let code = try await link("VERIFY_EMAIL").text("oobCode")
        let answer = try await update(#"{"idToken":"\#(token)","oobCode":"\#(code)"}"#)
        #expect(answer.text("email") == "d@e.f")
        #expect(answer["emailVerified"] == .bool(false))
    }

    @Test(
        "links lead to domains that are allowed",
        arguments: [
            (#","continueUrl":"\#(domain)""#, nil),
            (
                #","continueUrl":"https://elsewhere.example/""#,
                "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"
            ),
            (#","continueUrl":"""#, "INVALID_CONTINUE_URI : Missing domain in continue url"),
            (#","canHandleCodeInApp":true"#, "MISSING_CONTINUE_URI"),
        ] as [(String, String?)]
    )
    func domains(more: String, refusal: String?) async throws {
        _ = try await auth.register("a@b.c")
        #expect(try await link("PASSWORD_RESET", more).refusal == refusal)
    }

    @Test func `a code of a user who is gone is not one`() async throws {
        let user = try await auth.register("a@b.c").text("localId")
        let code = try await link("PASSWORD_RESET").text("oobCode")
        _ = try await auth.accounts("delete", #"{"localId":"\#(user)"}"#, asAdministrator: true)
        #expect(try await reset(code).refusal == "INVALID_OOB_CODE")
    }
}
