// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import SuiteFiles
import Testing

/// Exports as the official emulator writes and reads them (firebase-tools 15.28.1).
@Suite struct OfficialAccountsTests {
    let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    private static let config = """
        {
          "signIn": {
            "allowDuplicateEmails": false
          },
          "emailPrivacyConfig": {
            "enableImprovedEmailPrivacy": true
          }
        }
        """

    /// A user as one that was created by the Admin SDK, with a password.
    private static let user = #"""
        {
              "localId": "123",
              "createdAt": "1700000000000",
              "lastLoginAt": "1700000000001",
              "displayName": "Foo",
              "photoUrl": "https://example.com/foo.png",
              "passwordHash": "fakeHash:salt=fakeSaltZyXwVuTsRqPoNmLkJiHg:password=testing",
              "salt": "fakeSaltZyXwVuTsRqPoNmLkJiHg",
              "passwordUpdatedAt": 1700000000002,
              "customAttributes": "{\"admin\":true}",
              "providerUserInfo": [
                {
                  "providerId": "password",
                  "email": "foo@example.com",
                  "federatedId": "foo@example.com",
                  "rawId": "foo@example.com",
                  "displayName": "Foo",
                  "photoUrl": "https://example.com/foo.png"
                },
                {
                  "providerId": "google.com",
                  "rawId": "g1",
                  "email": "foo@gmail.com"
                }
              ],
              "validSince": "1700000000",
              "email": "Foo@example.com",
              "emailVerified": true,
              "disabled": false,
              "lastRefreshAt": "2023-11-14T22:13:20.004Z",
              "mfaInfo": [
                {
                  "displayName": "Phone",
                  "phoneInfo": "+15555550101",
                  "mfaEnrollmentId": "f1",
                  "enrolledAt": "2023-11-14T22:13:20.005Z",
                  "unobfuscatedPhoneInfo": "+15555550101"
                }
              ],
              "future": {"unknown": [1, 2.5, null]}
            }
        """#

    private func writeOfficial() throws {
        try fixture.write(Self.config, to: "config.json")
        try fixture.writeUsers(Self.user)
    }

    @Test func `imports a user as the official emulator exports it`() throws {
        try writeOfficial()
        let (counts, warnings) = try fixture.load()
        #expect(counts == AccountCounts.of(users: 1))
        #expect(warnings.isEmpty)
        let user = try #require(try fixture.account("123"))
        #expect(user.email == "foo@example.com")
        #expect(user.isEmailVerified == true)
        #expect(user.isDisabled == false)
        #expect((user.createdAt, user.lastLoginAt) == (1_700_000_000_000, 1_700_000_000_001))
        #expect((user.password.updatedAt, user.validSince) == (1_700_000_000_002, 1_700_000_000))
        #expect(user.lastRefreshAt == 1_700_000_000_004)
        #expect(user.password.hash == PlainPassword.hash("testing", salt: user.password.salt ?? ""))
        #expect(user.password.hashing == nil)
        #expect(user.customAttributes == #"{"admin":true}"#)
        #expect(user.providers?.map(\.providerID) == ["password", "google.com"])
        #expect(user.secondFactors?.map(\.phoneNumber) == ["+15555550101"])
        let settings = try fixture.contents()[""]?.settings
        #expect(settings?["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"]?.boolean == true)
    }

    @Test func `imports users of tenants by the files' names`() throws {
        try writeOfficial()
        try fixture.writeUsers(#"{"localId":"456","tenantId":"second-tenant"}"#, to: "accounts-second-tenant.json")
        try fixture.writeUsers("", to: "accounts-empty.json")
        #expect(try fixture.load().counts.description == "2 users, 2 tenants")
        #expect(try fixture.account("456", tenant: "second-tenant")?.tenantID == "second-tenant")
        #expect(try fixture.contents()["empty"]?.settings == AccountFixture.tenantDefaults("empty"))
    }

    @Test func `a tenant that was removed is there again`() throws {
        let tenant = AccountScope(project: AccountFixture.project, tenant: "blue")
        try fixture.save(SampleAccounts.phone, tenant: "blue")
        try fixture.store.remove(tenant)
        try writeOfficial()
        try fixture.writeUsers("", to: "accounts-blue.json")
        try fixture.load()
        #expect(try fixture.store.settings(of: tenant) == AccountFixture.tenantDefaults("blue"))
        #expect(try !fixture.store.isRemoved(tenant))
    }

    @Test func `makes a hash of a password in clear, and times where there are none`() throws {
        try writeOfficial()
        try fixture.writeUsers(
            #"{"localId":"a","email":"a@b","rawPassword":"secret","createdAt":"","mfaInfo":[{"phoneInfo":"+1"}]}"#
        )
        try fixture.load()
        let user = try #require(try fixture.account("a"))
        #expect(user.password.hash == PlainPassword.hash("secret", salt: user.password.salt ?? ""))
        #expect(user.password.salt?.hasPrefix("fakeSalt") == true)
        #expect((user.createdAt, user.password.updatedAt) == (AccountFixture.now, AccountFixture.now))
        #expect(user.secondFactors?.first?.id.count == 28)
        #expect(user.secondFactors?.first?.enrolledAt == AccountTime.text(milliseconds: AccountFixture.now))
    }

    @Test func `warns of files that are missing, or hold the error of an export`() throws {
        try fixture.write(#"{"error":{"code":400,"message":"PROJECT_DISABLED"}}"#, to: "accounts-off.json")
        try fixture.write("{}", to: "accounts-none.json")
        try fixture.write("x", to: "accounts.json.bak")
        let (counts, warnings) = try fixture.load()
        #expect(counts.users == 0)
        #expect(
            warnings.sorted() == [
                "accounts-none.json has no list of users",
                "accounts-off.json holds the error of a failed export in the place of users",
                "accounts.json is missing: users of the project itself are not imported",
                "accounts.json.bak is neither accounts.json nor accounts-TENANT.json: it is not imported",
                "config.json is missing: settings stay as they are",
            ]
        )
    }

    @Test func `writes what the official emulator writes`() throws {
        try fixture.save(SampleAccounts.password)
        try fixture.export()
        #expect(
            try fixture.text("config.json") == """
                {
                  "signIn": {
                    "allowDuplicateEmails": false
                  },
                  "emailPrivacyConfig": {
                    "enableImprovedEmailPrivacy": false
                  }
                }
                """
        )
        let text = try fixture.text("accounts.json")
        #expect(
            text.hasPrefix(
                "{\n  \"kind\": \"identitytoolkit#DownloadAccountResponse\",\n  \"users\": [\n    {\n      \"localId\""
            )
        )
        #expect(text.hasSuffix("\n    }\n  ]\n}"))
        let user = try #require(try fixture.json("accounts.json")["users"]?.array?.first)
        #expect(user["passwordHash"]?.string == SampleAccounts.password.password.hash)
        #expect(user["salt"]?.string == SampleAccounts.password.password.salt)
        #expect(user["createdAt"]?.string == "1700000000000")
        #expect(user["lastLoginAt"]?.string == "1700000000003")
        #expect(user["validSince"]?.string == "1700000000")
        #expect(user["passwordUpdatedAt"] == .integer(1_700_000_000_002))
        #expect(user["customAttributes"]?.string == SampleAccounts.password.customAttributes)
        #expect(user["tier1ActiveMonth"] == nil)
    }

    @Test func `leaves out what the official emulator would drop the user for`() throws {
        try fixture.save(SampleAccounts.authenticator)
        try fixture.export()
        let user = try #require(try fixture.json("accounts.json")["users"]?.array?.first)
        #expect(user["mfaInfo"]?.array?.map { $0["mfaEnrollmentId"]?.string } == ["f3"])
        #expect(user["firemeter"]?["sharedSecrets"]?["f2"]?.string == "JBSWY3DPEHPK3PXP")
    }

    @Test func `a password that was put into an export counts, whatever was there before`() throws {
        try fixture.save(SampleAccounts.imported)
        try fixture.export()
        let plain = PlainPassword.hash("secret", salt: "c2FsdA==")
        try fixture.write(fixture.text("accounts.json").replacing("aGFzaA==", with: plain), to: "accounts.json")
        try fixture.load()
        let password = try #require(try fixture.account("imported")?.password)
        #expect(password.hashing == nil)
        #expect(password.hash == PlainPassword.hash("secret", salt: password.salt ?? ""))
    }
}
