// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Foundation
import JSON
import Testing

@testable import SuiteFiles

/// Imports that fail: each names the file, and leaves the store as it was.
@Suite struct BadAccountImportTests {
    let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
        try fixture.write("{}", to: "config.json")
        try fixture.writeUsers("")
    }

    /// Imports what a test has written, after good users, and returns the error.
    private func failure() throws -> String? {
        try fixture.save(SampleAccounts.phone)
        let before = try fixture.contents()
        let message = try fixture.loadFailure()
        #expect(try fixture.contents() == before)
        return message
    }

    @Test(arguments: [
        ("[]", "is not a JSON object"),
        ("", "is not a JSON object"),
        ("{", "is not JSON: byte 2: expected a value, found the end"),
        (#"{"users":[{]}"#, "is not JSON: byte 12: expected a key"),
        (#"{"users":[{"localId":"a"},"#, "is not JSON: byte 27: expected a value, found the end"),
        (#"{"users":[{"localId":"a"} {}]}"#, "is not JSON: byte 27: expected ',' or ']'"),
        (#"{"users":[]} x"#, "is not JSON: byte 14: expected the end"),
        (#"{"users":[{"localId":"a}]}"#, "is not JSON: byte"),
        (#"{"users":[],"users":[]}"#, "has users twice"),
        (#"{"users":{}}"#, "has users that are not a list"),
        (#"{"users" []}"#, "is not JSON: byte 10: expected ':'"),
        (#"{1:[]}"#, "is not JSON: byte 3: expected the name of a member"),
    ])
    func `refuses a file that is not users in JSON`(text: String, reason: String) throws {
        try fixture.write(text, to: "accounts.json")
        let message = try #require(try failure())
        #expect(message.hasPrefix("accounts.json \(reason)"), "\(message)")
    }

    @Test(arguments: [
        ("7", "it has no localId"),
        (#"{"localId":""}"#, "it has no localId"),
        (#"{"localId":5}"#, "its localId is not a text"),
        (#"{"localId":"a","email":"no"}"#, "its email is not an e-mail address"),
        (#"{"localId":"a","initialEmail":"no@"}"#, "its initialEmail is not an e-mail address"),
        (#"{"localId":"a","phoneNumber":"123"}"#, "its phoneNumber does not begin with +"),
        (#"{"localId":"a","disabled":"yes"}"#, "its disabled is neither true nor false"),
        (#"{"localId":"a","customAttributes":"["}"#, "its customAttributes are not the text of a JSON object"),
        (#"{"localId":"a","createdAt":"yesterday"}"#, "its createdAt is not a time in digits"),
        (#"{"localId":"a","createdAt":"9223372036854775807"}"#, "its createdAt is not a time in digits"),
        (#"{"localId":"a","lastLoginAt":-1}"#, "its lastLoginAt is not a time in digits"),
        (#"{"localId":"a","validSince":9999999999999}"#, "its validSince is not a time in digits"),
        (
            #"{"localId":"a","lastRefreshAt":"soon"}"#,
            "its lastRefreshAt is not a time such as 2026-11-21T00:51:46.653Z"
        ),
        (#"{"localId":"a","providerUserInfo":{}}"#, "its providerUserInfo is not a list"),
        (
            #"{"localId":"a","providerUserInfo":[{"providerId":"google.com"}]}"#,
            "one of its providerUserInfo has no providerId or no rawId"
        ),
        (
            #"{"localId":"a","providerUserInfo":[{"providerId":"p","rawId":"1"},{"providerId":"p","rawId":"2"}]}"#,
            "two of its providerUserInfo are of one provider"
        ),
        (#"{"localId":"a","mfaInfo":[{"totpInfo":{}}]}"#, "one of its mfaInfo has no phoneInfo"),
        (
            #"{"localId":"a","mfaInfo":[{"phoneInfo":"+1","mfaEnrollmentId":"x"},"#
                + #"{"phoneInfo":"+2","mfaEnrollmentId":"x"}]}"#,
            "two of its mfaInfo have one mfaEnrollmentId"
        ),
        (#"{"localId":"a","passkeyInfo":[{}]}"#, "one of its passkeyInfo has no credentialId"),
        (#"{"localId":"a","firemeter":[]}"#, "its firemeter is not an object"),
        (
            #"{"localId":"a","firemeter":{"mfaInfo":[{"mfaEnrollmentId":"x"}]}}"#,
            "one of its mfaInfo is neither a phone nor an app"
        ),
        (
            #"{"localId":"a","firemeter":{"mfaInfo":[{"mfaEnrollmentId":"x","phoneInfo":"+1"}],"#
                + #""lastIntervals":{"x":9223372036854775807}}}"#,
            "one of its mfaInfo is neither a phone nor an app"
        ),
        (#"{"localId":"a","tenantId":"t"}"#, "its tenantId is not that of the file"),
        (#"{"localId":"a","phoneNumber":"+15555550100"}"#, "the user a has the phone number of the user phone"),
        (#"{"localId":"a","email":"X@b"}"#, "the user a has the e-mail address of the user good"),
        (
            #"{"localId":"a","providerUserInfo":[{"providerId":"google.com","rawId":"1"}]}"#,
            "the user a has the identity at google.com of the user good"
        ),
        (#"{"localId":"a","passkeyInfo":[{"credentialId":"c"}]}"#, "the user a has the passkey of the user good"),
    ])
    func `refuses a user`(user: String, reason: String) throws {
        let good =
            #"{"localId":"good","email":"x@b","providerUserInfo":[{"providerId":"google.com","rawId":"1"}],"#
            + #""passkeyInfo":[{"credentialId":"c"}]}"#
        try fixture.writeUsers("\(good),\(user)")
        #expect(try failure() == "accounts.json has a user, number 2, without use: \(reason)")
    }

    @Test(arguments: [
        ("config.json", "[]", "config.json is not a JSON object"),
        ("config.json", "{", "config.json is no JSON: "),
        (
            "config.json", #"{"signIn":{"allowDuplicateEmails":"no"}}"#,
            "config.json has a signIn.allowDuplicateEmails that is neither true nor false"
        ),
        (
            "firemeter-settings.json", #"{"settings":[{}]}"#,
            "firemeter-settings.json has a setting, number 1, without use: it has neither settings nor config"
        ),
        (
            "firemeter-settings.json", #"{"settings":[{"settings":[]}]}"#,
            "firemeter-settings.json has a setting, number 1, without use: its settings is not an object"
        ),
        (
            "firemeter-settings.json", #"{"settings":[{"config":{},"id":"x"}]}"#,
            "firemeter-settings.json has a setting, number 1, without use: it has no collection or no id"
        ),
        (
            "accounts-t.json", #"{"users":[{"localId":"a","tenantId":"u"}]}"#,
            "accounts-t.json has a user, number 1, without use: its tenantId is not that of the file"
        ),
    ])
    func `refuses another file`(name: String, text: String, message: String) throws {
        try fixture.writeUsers(#"{"localId":"good"}"#)
        try fixture.write(text, to: name)
        let found = try #require(try failure())
        #expect(found.hasPrefix(message), "\(found)")
    }

    @Test func `refuses a user that is too large, and takes a large one`() throws {
        func user(_ count: Int) -> String { #"{"localId":"a","photoUrl":"\#(String(repeating: "x", count: count))"}"# }
        try fixture.writeUsers(user(1 << 20))
        #expect(try fixture.load().counts.users == 1)
        try fixture.writeUsers(user(ListReader.valueByteCountMax))
        let message = try fixture.loadFailure()
        #expect(message == "accounts.json has a value of more than 4194304 bytes at byte 60")
    }

    @Test func `refuses deep nesting`() throws {
        try fixture.writeUsers(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))
        #expect(try failure()?.contains("levels of nesting") == true)
    }

    @Test func `refuses a link, and a directory that is not there`() throws {
        try FileManager.default.removeItem(atPath: "\(fixture.path)/accounts.json")
        try FileManager.default.createSymbolicLink(
            atPath: "\(fixture.path)/accounts.json",
            withDestinationPath: "config.json"
        )
        #expect(try failure() == "accounts.json is a symbolic link, which imports do not follow")
        try FileManager.default.removeItem(atPath: fixture.path)
        #expect(try fixture.loadFailure()?.hasSuffix("auth_export is missing") == true)
    }

    @Test func `several users have one address where that is allowed`() throws {
        try fixture.writeUsers(#"{"localId":"a","email":"x@b"},{"localId":"b","email":"x@b"}"#)
        #expect(try fixture.loadFailure() != nil)
        #expect(try fixture.loadFailure { $0.takesDuplicateEmails = true } == nil)
        try fixture.write(#"{"signIn":{"allowDuplicateEmails":true}}"#, to: "config.json")
        #expect(try fixture.loadFailure() == nil)
    }

    @Test func `an import that is stopped leaves the store as it was`() throws {
        struct Stop: Error {}
        try fixture.writeUsers(#"{"localId":"a"},{"localId":"b"}"#)
        try fixture.writeUsers(#"{"localId":"c"}"#, to: "accounts-t.json")
        try fixture.save(SampleAccounts.phone)
        let before = try fixture.contents()
        #expect(throws: Stop.self) {
            try fixture.load { $0.onProgress = { if $0.users == 3 { throw Stop() } } }
        }
        #expect(try fixture.contents() == before)
        #expect(try !fixture.store.hasTenant(AccountScope(project: "demo", tenant: "t")))
    }
}
