// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import JSON
import Testing

@testable import AuthServer

/// Answers that were recorded against production in September 2026.
@Suite struct ProductionTests {
    private static let secure = #","returnSecureToken":true}"#
    private static let credentials = #"{"email":"a@b.c","password":"secret1""#
    private static let custom =
        #""aud":"https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit""#

    let auth: AuthFixture

    init() throws { auth = try AuthFixture(profile: .production) }

    private func token(_ claims: String) -> String { JSONWebToken.unsigned(.verbatim("{\(claims)}")) }

    @Test func `a sign-in that asks for no secure token gets a brief one, which makes no session cookie`() async throws
    {
        _ = try await auth.register("a@b.c")
        let brief = try await auth.accounts("signInWithPassword", Self.credentials + "}")
        #expect(brief["refreshToken"] == nil)
        let claims = try #require(JSONWebToken(brief.text("idToken"))).payload
        #expect(claims["iss"]?.string == "https://identitytoolkit.google.com/")
        #expect(claims["sub"] == nil)
        let idToken = #"{"idToken":"\#(brief.text("idToken"))"}"#
        #expect(try await auth.accounts("lookup", idToken).status == 200)
        let cookie = try await auth.call(
            .post,
            "/identitytoolkit.googleapis.com/v1/projects/demo:createSessionCookie",
            idToken,
            asAdministrator: true
        )
        #expect(cookie.refusal == "INVALID_ID_TOKEN")
    }

    @Test func `a token is taken until five minutes after its end, and a refresh token stays`() async throws {
        _ = try await auth.register("a@b.c")
        let session = try await auth.accounts("signInWithPassword", Self.credentials + Self.secure)
        let idToken = #"{"idToken":"\#(session.text("idToken"))"}"#
        auth.advance(seconds: 3_899)
        #expect(try await auth.accounts("lookup", idToken).status == 200)
        auth.advance(seconds: 1)
        #expect(try await auth.accounts("lookup", idToken).refusal == "INVALID_ID_TOKEN")
        let refreshed = try await auth.call(
            .post,
            "/securetoken.googleapis.com/v1/token",
            #"{"grantType":"refresh_token","refreshToken":"\#(session.text("refreshToken"))"}"#
        )
        #expect(refreshed["refresh_token"] == session["refreshToken"])
        let claims = try #require(JSONWebToken(refreshed.text("id_token"))).payload
        #expect(claims["auth_time"]?.integer == 1_765_000_000)
    }

    @Test func `a token without a signature that has one is refused`() async throws {
        let session = try await auth.register("a@b.c")
        #expect(
            try await auth.accounts("lookup", #"{"idToken":"\#(session.text("idToken"))x"}"#).refusal
                == "INVALID_ID_TOKEN"
        )
    }

    @Test(
        "custom tokens are judged by their times and their issuer",
        arguments: [
            (#""uid":"u","iss":"i","sub":"i","iat":1765000000,"exp":1765003600"#, nil),
            (#""uid":"u","iss":"i","sub":"j","iat":1765000000,"exp":1765003600"#, "INVALID_CUSTOM_TOKEN"),
            (#""uid":"u","iss":"i","sub":"i","iat":1765000000,"exp":1765007200"#, "INVALID_CUSTOM_TOKEN"),
            (#""uid":"u","iss":"i","sub":"i","iat":1764996000,"exp":1764999600"#, "INVALID_CUSTOM_TOKEN"),
            (#""uid":"u","iss":"i","sub":"i","iat":1765000600,"exp":1765004200"#, "INVALID_CUSTOM_TOKEN"),
            (#""uid":"u","iss":"i","sub":"i""#, "INVALID_CUSTOM_TOKEN"),
            (
                #""uid":"u","iss":"i","sub":"i","iat":-9223372036854775808,"exp":9223372036854775807"#,
                "INVALID_CUSTOM_TOKEN"
            ),
            (
                #""uid":"","iss":"i","sub":"i","iat":1765000000,"exp":1765003600"#,
                "INVALID_IDENTIFIER : Invalid user ID length. Expect to have length between 1 and 128."
            ),
        ] as [(String, String?)]
    )
    func customTokens(claims: String, refusal: String?) async throws {
        let token = token("\(claims),\(Self.custom)")
        #expect(try await auth.accounts("signInWithCustomToken", #"{"token":"\#(token)"}"#).refusal == refusal)
    }

    @Test(arguments: [-9_223_372_036_854_775_808, 9_223_372_036_854_775_807] as [Int64])
    func `a credential and a token may say any time`(_ time: Int64) async throws {
        let user = try await auth.register("a@b.c").text("localId")
        let named = #""_AuthEmulatorMfaPendingCredential":"x","signInProvider":"password","projectId":"demo""#
        let pending = #"{\#(named),"localId":"\#(user)","issuedAt":\#(time)}"#
        let credential = Data(pending.utf8).base64EncodedString()
        let start = #"{"mfaPendingCredential":"\#(credential)","mfaEnrollmentId":"x","phoneSignInInfo":{}}"#
        let path = "/identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:start"
        #expect(try await auth.call(.post, path, start).status == 400)
        let session = #""iat":1765000000,"auth_time":\#(time),"firebase":{"sign_in_provider":"password"}"#
        let issuer = #""iss":"https://securetoken.google.com/demo","exp":9223372036854775807"#
        let token = token(#""user_id":"\#(user)",\#(session),\#(issuer)"#)
        let deletion = try await auth.accounts("delete", #"{"idToken":"\#(token)"}"#)
        #expect(deletion.refusal == (time < 0 ? "CREDENTIAL_TOO_OLD_LOGIN_AGAIN" : nil))
    }

    @Test(
        "an administrator's values are judged, and kept in one form",
        arguments: [
            (#"{"phoneNumber":"+1 650-555-ABCD"}"#, nil, "+16505552223"),
            (#"{"phoneNumber":"+0 650 555 0104"}"#, "INVALID_PHONE_NUMBER : Invalid format.", nil),
            (#"{"email":" a@b.c"}"#, "INVALID_EMAIL", nil),
        ] as [(String, String?, String?)]
    )
    func values(body: String, refusal: String?, number: String?) async throws {
        let created = try await auth.call(
            .post,
            "/identitytoolkit.googleapis.com/v1/projects/demo/accounts",
            body,
            asAdministrator: true
        )
        #expect(created.refusal == refusal)
        guard refusal == nil else { return }
        let ids = #"{"localId":["\#(created.text("localId"))"]}"#
        let user = try await auth.accounts("lookup", ids, asAdministrator: true)["users"]?.array?.first
        #expect(user?["phoneNumber"]?.string == number)
        #expect(user?["disabled"] == .bool(false))
    }

    @Test(
        "imports with parameters that make no sense are refused",
        arguments: [
            (#""hashAlgorithm":"ROT13""#, "INVALID_HASH_ALGORITHM"),
            (#""hashAlgorithm":"HMAC_SHA256""#, "EMPTY_HASH_KEY"),
            (#""hashAlgorithm":"PBKDF_SHA1","rounds":120001"#, "INVALID_HASH_ROUNDS"),
            (#""hashAlgorithm":"SCRYPT","rounds":8,"memoryCost":15"#, "INVALID_HASH_MEMORY_COSTS"),
            (#""hashAlgorithm":"STANDARD_SCRYPT","cpuMemCost":1024"#, "INVALID_HASH_PARAMETER"),
            (#""hashAlgorithm":"ARGON2""#, "INVALID_ARGON2_MEMORY_COST"), (#""hashAlgorithm":"BCRYPT""#, nil),
        ] as [(String, String?)]
    )
    func imports(parameters: String, refusal: String?) async throws {
        let answer = try await auth.call(
            .post,
            "/identitytoolkit.googleapis.com/v1/projects/demo/accounts:batchCreate",
            #"{"users":[{"localId":"u"}],\#(parameters)}"#,
            asAdministrator: true
        )
        #expect(answer.refusal == refusal)
    }
}
