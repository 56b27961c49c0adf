// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JSON
import Testing

@testable import AuthServer

@Suite struct SignInTests {
    let auth: AuthFixture

    init() throws { auth = try AuthFixture() }

    @Test(
        "calls that make no sense are refused in the words that SDKs know",
        arguments: [
            (
                "signUp", #"{"email":"a@b","password":"short"}"#,
                "WEAK_PASSWORD : Password should be at least 6 characters"
            ),
            ("signUp", #"{"email":"nonsense","password":"secret1"}"#, "INVALID_EMAIL"),
            ("signUp", #"{"password":"secret1"}"#, "MISSING_EMAIL"),
            ("signUp", #"{"email":"a@b"}"#, "MISSING_PASSWORD"),
            ("signUp", #"{"localId":"x"}"#, "UNEXPECTED_PARAMETER : User ID"),
            ("signInWithPassword", #"{"email":"no@one","password":"x"}"#, "EMAIL_NOT_FOUND"),
            ("signInWithCustomToken", "{}", "MISSING_CUSTOM_TOKEN"),
            ("signInWithCustomToken", #"{"token":"{}"}"#, "MISSING_IDENTIFIER"),
            ("lookup", #"{"idToken":"x.y.z"}"#, "INVALID_ID_TOKEN"), ("lookup", "{}", "MISSING_ID_TOKEN"),
            ("update", "{}", "INVALID_REQ_TYPE : Unsupported request parameters."),
            ("sendOobCode", "{}", "MISSING_REQ_TYPE"),
            ("resetPassword", #"{"oobCode":"x"}"#, "INVALID_OOB_CODE"),
            ("signInWithPhoneNumber", #"{"sessionInfo":"x","code":"1"}"#, "INVALID_SESSION_INFO"),
            ("sendVerificationCode", #"{"phoneNumber":"5555"}"#, "INVALID_PHONE_NUMBER : Invalid format."),
            ("signUp", #"{"email":["a"]}"#, "Invalid JSON payload received. /email must be string"),
        ]
    )
    func refusals(verb: String, body: String, message: String) async throws {
        let answer = try await auth.accounts(verb, body)
        #expect(answer.status == 400)
        #expect(answer.refusal == message)
    }

    @Test func `a user signs up, signs in and is looked up`() async throws {
        let created = try await auth.register("Alice@Example.com")
        #expect(created.text("email") == "alice@example.com")
        let signedIn = try await auth.accounts(
            "signInWithPassword",
            #"{"email":"ALICE@example.com","password":"secret1"}"#
        )
        #expect(signedIn["localId"] == created["localId"])
        let token = try #require(JSONWebToken(signedIn.text("idToken")))
        #expect(token.algorithm == "none")
        #expect(token.payload["user_id"] == created["localId"])
        #expect(token.payload["firebase"]?["sign_in_provider"]?.string == "password")
        #expect(token.payload["exp"]?.integer == 1_765_003_600)
        let found = try await auth.accounts("lookup", #"{"idToken":"\#(signedIn.text("idToken"))"}"#)
        #expect(found["users"]?.array?.first?["email"]?.string == "alice@example.com")
        #expect(try await auth.register("alice@example.com").refusal == "EMAIL_EXISTS")
        let wrong = try await auth.accounts("signInWithPassword", #"{"email":"alice@example.com","password":"x"}"#)
        #expect(wrong.refusal == "INVALID_PASSWORD")
    }

    @Test func `with protection of addresses, wrong passwords and unknown users are one`() async throws {
        _ = try await auth.register("a@b.c")
        try await auth.configure(
            #"{"emailPrivacyConfig":{"enableImprovedEmailPrivacy":true}}"#,
            mask: "emailPrivacyConfig"
        )
        for email in ["a@b.c", "no@one.c"] {
            let answer = try await auth.accounts("signInWithPassword", #"{"email":"\#(email)","password":"x"}"#)
            #expect(answer.refusal == "INVALID_LOGIN_CREDENTIALS")
        }
        let reset = try await auth.accounts("sendOobCode", #"{"requestType":"PASSWORD_RESET","email":"no@one.c"}"#)
        #expect(reset.status == 200)
        #expect(auth.messages.isEmpty)
    }

    @Test func `tokens that were issued before a change of password are refused`() async throws {
        let user = try await auth.register("a@b.c")
        auth.advance(seconds: 10)
        let token = user.text("idToken")
        let changed = try await auth.accounts("update", #"{"idToken":"\#(token)","password":"secret2"}"#)
        #expect(changed.status == 200)
        #expect(try await auth.accounts("lookup", #"{"idToken":"\#(token)"}"#).refusal == "TOKEN_EXPIRED")
        let fresh = changed.text("idToken")
        #expect(try await auth.accounts("lookup", #"{"idToken":"\#(fresh)"}"#).status == 200)
    }

    @Test func `imported hashes are verified`() async throws {
        let imported = try await auth.call(
            .post,
            "/identitytoolkit.googleapis.com/v1/projects/demo/accounts:batchCreate",
            """
            {"hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14, "saltSeparator": "Bw==",
             "signerKey": "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
             "users": [{"localId": "u1", "email": "user1@example.com", "salt": "42xEC+ixf3L2lw==",
                        "passwordHash":
             "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="}]}
            """,
            asAdministrator: true
        )
        #expect(imported["error"] == .array([]))
        let right = #"{"email":"user1@example.com","password":"user1password"}"#
        #expect(try await auth.accounts("signInWithPassword", right).text("localId") == "u1")
        let wrong = #"{"email":"user1@example.com","password":"other"}"#
        #expect(try await auth.accounts("signInWithPassword", wrong).refusal == "INVALID_PASSWORD")
    }

    @Test func `a phone number for tests has its own code, and gets no message`() async throws {
        try await auth.configure(
            #"{"signIn":{"phoneNumber":{"enabled":true,"testPhoneNumbers":{"+15555550100":"424242"}}}}"#,
            mask: "signIn.phoneNumber"
        )
        let sent = try await auth.accounts("sendVerificationCode", #"{"phoneNumber":"+15555550100"}"#)
        #expect(auth.messages.isEmpty)
        let body = #"{"sessionInfo":"\#(sent.text("sessionInfo"))","code":"424242"}"#
        #expect(try await auth.accounts("signInWithPhoneNumber", body).text("phoneNumber") == "+15555550100")
        #expect(try await auth.accounts("signInWithPhoneNumber", body).refusal == "INVALID_SESSION_INFO")
    }

    @Test func `an authenticator app is a second factor`() async throws {
        try await auth.configure(
            #"{"mfa":{"providerConfigs":[{"state":"ENABLED","totpProviderConfig":{"adjacentIntervals":1}}]}}"#,
            mask: "mfa"
        )
        let created = try await auth.call(
            .post,
            "/identitytoolkit.googleapis.com/v1/projects/demo/accounts",
            #"{"localId":"u","email":"a@b.c","password":"secret1","emailVerified":true}"#,
            asAdministrator: true
        )
        #expect(created.status == 200)
        let password = #"{"email":"a@b.c","password":"secret1"}"#
        let token = try await auth.accounts("signInWithPassword", password).text("idToken")
        let v2 = "/identitytoolkit.googleapis.com/v2/accounts"
        let begun = try await auth.call(
            .post,
            "\(v2)/mfaEnrollment:start",
            #"{"idToken":"\#(token)","totpEnrollmentInfo":{}}"#
        )
        let info = try #require(begun["totpSessionInfo"])
        let key = try #require(info["sharedSecretKey"]?.string.flatMap(Base32.decode))
        let code = { try #require(OneTimePassword.code(key: key, counter: $0)) }
        let interval: Int64 = 1_765_000_000 / 30
        let ended = try await auth.call(
            .post,
            "\(v2)/mfaEnrollment:finalize",
            """
            {"idToken": "\(token)", "displayName": "App", "totpVerificationInfo":
             {"sessionInfo": "\(info["sessionInfo"]?.string ?? "")", "verificationCode": "\(try code(interval))"}}
            """
        )
        #expect(ended.status == 200)
        let pending = try await auth.accounts("signInWithPassword", password)
        #expect(pending["idToken"] == nil)
        let factor = try #require(pending["mfaInfo"]?.array?.first)
        #expect(factor["totpInfo"] == .object([:]))
        for (counter, isRight) in [(interval + 1, true), (interval - 3, false)] {
            let answer = try await auth.call(
                .post,
                "\(v2)/mfaSignIn:finalize",
                """
                {"mfaPendingCredential": "\(pending.text("mfaPendingCredential"))",
                 "mfaEnrollmentId": "\(factor["mfaEnrollmentId"]?.string ?? "")",
                 "totpVerificationInfo": {"verificationCode": "\(try code(counter))"}}
                """
            )
            #expect(answer.refusal == (isRight ? nil : "INVALID_CODE"))
            guard isRight else { continue }
            let claims = JSONWebToken(answer.text("idToken"))?.payload["firebase"]
            #expect(claims?["sign_in_second_factor"]?.string == "totp")
        }
    }

    @Test func `a password that a policy refuses is told its faults`() async throws {
        try await auth.configure(
            """
            {"passwordPolicyConfig": {"passwordPolicyEnforcementState": "ENFORCE", "passwordPolicyVersions":
             [{"customStrengthOptions": {"minPasswordLength": 8, "containsNumericCharacter": true}}]}}
            """,
            mask: "passwordPolicyConfig"
        )
        let answer = try await auth.accounts("signUp", #"{"email":"a@b.c","password":"letters"}"#)
        #expect(
            answer.refusal
                == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: "
                + "[Password must contain at least 8 characters, Password must contain a numeric character]"
        )
        let policy = try await auth.call(.get, "/identitytoolkit.googleapis.com/v2/passwordPolicy")
        #expect(policy["customStrengthOptions"]?["minPasswordLength"]?.integer == 8)
        #expect(try await auth.accounts("signUp", #"{"email":"a@b.c","password":"letters8"}"#).status == 200)
    }

    @Test func `users may be kept from creating and deleting accounts`() async throws {
        let user = try await auth.register("a@b.c")
        try await auth.configure(
            #"{"client":{"permissions":{"disabledUserSignup":true,"disabledUserDeletion":true}}}"#,
            mask: "client"
        )
        #expect(try await auth.register("b@b.c").refusal == "ADMIN_ONLY_OPERATION")
        #expect(try await auth.accounts("signUp", "{}").refusal == "ADMIN_ONLY_OPERATION")
        let deletion = try await auth.accounts("delete", #"{"idToken":"\#(user.text("idToken"))"}"#)
        #expect(deletion.refusal == "ADMIN_ONLY_OPERATION")
    }

    /// RFC 6238, appendix B, SHA-1, the last six digits.
    @Test(
        "codes of authenticator apps are those of the standard",
        arguments: [(59, "287082"), (1_111_111_109, "081804")]
    )
    func oneTimePasswords(second: Int64, code: String) {
        #expect(OneTimePassword.code(key: Array("12345678901234567890".utf8), counter: second / 30) == code)
    }

    @Test("base 32 is that of the standard", arguments: [("f", "MY"), ("fo", "MZXQ"), ("foobar", "MZXW6YTBOI")])
    func base32(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.decode(encoded) == Array(text.utf8))
    }
}
