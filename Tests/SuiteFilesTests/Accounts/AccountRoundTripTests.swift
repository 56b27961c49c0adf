// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import TestSupport
import Testing

@testable import SuiteFiles

/// Exports that are imported here.
@Suite struct AccountRoundTripTests {
    let (source, target): (AccountFixture, AccountFixture)

    init() throws { (source, target) = (try AccountFixture(), try AccountFixture()) }

    @Test func `brings back every kind of user, unchanged`() throws {
        for account in SampleAccounts.all { try source.save(account) }
        #expect(try source.export().users == SampleAccounts.all.count)
        let (counts, warnings) = try target.load(from: source)
        #expect(counts == AccountCounts.of(users: SampleAccounts.all.count))
        #expect(warnings.isEmpty)
        let accounts = try target.contents()[""]?.accounts
        #expect(accounts == SampleAccounts.all.sorted { $0.localID < $1.localID })
    }

    @Test func `finds imported users by address, number, identity and passkey`() throws {
        for account in SampleAccounts.all { try source.save(account) }
        try source.export()
        try target.load(from: source)
        try target.store.reading(AccountScope(project: "demo")) { (users) throws in
            #expect(try users.account(email: "password@example.com")?.localID == "password")
            #expect(try users.account(initialEmail: "before@example.com")?.localID == "password")
            #expect(try users.account(phoneNumber: "+15555550100")?.localID == "phone")
            #expect(try users.account(provider: "google.com", rawID: "1234")?.localID == "federated")
            #expect(try users.account(passkey: "c1")?.localID == "passkey")
        }
    }

    @Test func `brings back tenants, settings and identity providers, under the importing project`() throws {
        try source.store.writing(project: "demo") { project in
            let own = try project.ensuredUsers(tenant: nil)
            try own.change(settings: try JSONValue(parsing: Array(Self.settings(of: "demo").utf8)))
            try own.save(
                .object(["name": .string("projects/demo/oauthIdpConfigs/oidc.a")]),
                provider: "oidc.a",
                in: "oauthIdpConfigs"
            )
            let tenant = try project.ensuredUsers(tenant: "blue")
            try tenant.change(settings: try JSONValue(parsing: Array(Self.tenant(of: "demo").utf8)))
            try tenant.save(
                .object([
                    "name": .string("projects/demo/tenants/blue/inboundSamlConfigs/saml.a"), "enabled": .bool(true),
                ]),
                provider: "saml.a",
                in: "inboundSamlConfigs"
            )
            var user = SampleAccounts.authenticator
            user.tenantID = "blue"
            try tenant.save(user, replacing: nil)
        }
        try source.save(SampleAccounts.password)
        #expect(try source.export().description == "2 users, 1 tenant")
        #expect(try target.load(project: "other", from: source).counts.description == "2 users, 1 tenant")
        let (before, after) = (try source.contents(), try target.contents(of: "other"))
        #expect(after["blue"]?.accounts == before["blue"]?.accounts)
        #expect(after[""]?.accounts == before[""]?.accounts)
        #expect(after["blue"]?.settings == (try JSONValue(parsing: Array(Self.tenant(of: "other").utf8))))
        #expect(after[""]?.settings == (try JSONValue(parsing: Array(Self.settings(of: "other").utf8))))
        #expect(
            after[""]?.providers["oauthIdpConfigs/oidc.a"]?["name"]?.string == "projects/other/oauthIdpConfigs/oidc.a"
        )
        let saml = after["blue"]?.providers["inboundSamlConfigs/saml.a"]
        #expect(saml?["name"]?.string == "projects/other/tenants/blue/inboundSamlConfigs/saml.a")
        #expect(saml?["enabled"]?.boolean == true)
    }

    private static func settings(of project: String) -> String {
        #"{"signIn":{"allowDuplicateEmails":true,"phoneNumber":{"testPhoneNumbers":{"+1555":"123456"}}},"#
            + #""emailPrivacyConfig":{"enableImprovedEmailPrivacy":true},"mfa":{"state":"ENABLED"},"#
            + #""passwordPolicyConfig":{"passwordPolicyEnforcementState":"ENFORCE"}}"#
    }

    private static func tenant(of project: String) -> String {
        #"{"tenantId":"blue","name":"projects/\#(project)/tenants/blue","allowPasswordSignup":false,"#
            + #""mfaConfig":{"state":"MANDATORY"},"testPhoneNumbers":{"+1556":"654321"}}"#
    }

    @Test func `leaves functions that block to those who serve them`() throws {
        func functions(_ uri: String) -> JSONValue {
            .object(["blockingFunctions": .object(["triggers": .object(["beforeCreate": .string(uri)])])])
        }
        let scope = AccountScope(project: "demo")
        try source.store.writing(scope) { try $0.change(settings: functions("old")) }
        try target.store.writing(scope) { try $0.change(settings: functions("new")) }
        try source.export()
        try target.load(from: source)
        let settings = try #require(try target.contents()[""]?.settings)
        #expect(settings["blockingFunctions"] == functions("new")["blockingFunctions"])
    }

    @Test func `replaces users with the same ids and keeps others`() throws {
        try source.save(SampleAccounts.password)
        try source.export()
        var former = Account(localID: "password")
        former.phoneNumber = "+1999"
        former.updateProviders()
        try target.save(former, SampleAccounts.phone)
        _ = try target.store.accounts(["password"], in: AccountScope(project: "demo"))
        try target.load(from: source)
        #expect(try target.contents()[""]?.accounts == [SampleAccounts.password, SampleAccounts.phone])
        #expect(target.store.knownAccount("password", in: AccountScope(project: "demo")) == nil)
        try target.store.reading(AccountScope(project: "demo")) { (users) throws in
            #expect(try users.account(phoneNumber: "+1999") == nil)
            #expect(try users.account(provider: "phone", rawID: "+1999") == nil)
        }
    }

    @Test func `an export of a project that was never used can be imported`() throws {
        #expect(try source.export() == AccountCounts.of(users: 0))
        #expect(source.directory.names(in: "auth_export") == ["accounts.json", "config.json"])
        #expect(try target.load(from: source).warnings.isEmpty)
    }

    @Test func `two exports of the same data are the same`() throws {
        for account in SampleAccounts.all { try source.save(account) }
        try source.export()
        try target.load(from: source)
        let copy = try AccountFixture()
        _ = try AccountExport(store: target.store, project: "demo", defaults: AccountFixture.defaults).write(
            to: copy.path
        )
        for name in ["accounts.json", "config.json"] {
            #expect(try copy.text(name) == source.text(name))
        }
    }

    @Test func `10,000 users come back`() throws {
        try source.store.writing(AccountScope(project: "demo")) { users in
            for number in 0..<10_000 {
                var account = Account(localID: "u\(number)")
                account.email = "u\(number)@example.com"
                account.createdAt = AccountFixture.now
                account.password.salt = "fakeSalt"
                account.password.updatedAt = AccountFixture.now
                account.password.hash = PlainPassword.hash("pass\(number)", salt: "fakeSalt")
                account.updateProviders()
                try users.save(account, replacing: nil)
            }
        }
        #expect(try source.export().users == 10_000)
        var calls = 0
        let counts = try target.load(from: source) { $0.onProgress = { _ in calls += 1 } }.counts
        #expect(counts.users == 10_000)
        #expect(calls == 10_000)
        #expect(try target.account("u9999") == source.account("u9999"))
    }

    @Test func `writes into an empty directory only`() throws {
        try source.write("", to: "other.txt")
        #expect(throws: ExportError.self) { try source.export() }
        #expect(source.directory.names(in: "auth_export") == ["other.txt"])
    }

    @Test func `a tenant whose id names no file is left out, with a warning`() throws {
        try source.save(SampleAccounts.phone, tenant: "a/../b")
        var warnings: [String] = []
        var export = AccountExport(store: source.store, project: "demo", defaults: AccountFixture.defaults)
        export.onWarning = { warnings.append($0) }
        #expect(try export.write(to: source.path).tenants == 0)
        #expect(
            warnings == [
                "left out of the export: a tenant whose id cannot be the name of a file; its users: 1"
            ]
        )
    }

    @Test func `users of other projects are left out, with a warning`() throws {
        try source.save(SampleAccounts.phone)
        for project in ["e", "d", "c", "b"] {
            try source.store.writing(AccountScope(project: project)) {
                try $0.save(SampleAccounts.phone, replacing: nil)
            }
        }
        var warnings: [String] = []
        var work = TransferWork()
        work.onWarning = { warnings.append($0) }
        let accounts = AccountData(
            store: source.store,
            project: "demo",
            defaults: AccountFixture.defaults,
            takesDuplicateEmails: false,
            now: { AccountFixture.now }
        )
        #expect(try SuiteExport([accounts]).write(to: source.directory.file("export"), work).users == 1)
        #expect(warnings == ["left out of the export: users of projects other than demo (b, c, d and 1 more)"])
    }
}

extension AccountCounts {
    /// Counts without tenants.
    static func of(users: Int) -> AccountCounts {
        var counts = AccountCounts()
        counts.users = users
        return counts
    }
}
