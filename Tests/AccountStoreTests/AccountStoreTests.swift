// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON
import TestSupport
import Testing

@Suite struct AccountStoreTests {
    let directory: TemporaryDirectory
    let store: SQLiteAccountStore
    let scope = AccountScope(project: "p")

    init() throws {
        directory = TemporaryDirectory()
        store = SQLiteAccountStore(path: directory.path + "/accounts.sqlite", isDurable: false)
    }

    private static var full: Account {
        var account = Account(localID: "alice")
        account.email = "alice@example.com"
        account.isEmailVerified = false
        account.initialEmail = "al@example.com"
        account.displayName = "Alice \"A\" Ünal"
        account.photoURL = "http://photo"
        account.phoneNumber = "+15555550100"
        account.isDisabled = true
        account.password.hash = "aGFzaA=="
        account.password.salt = "c2FsdA=="
        account.password.updatedAt = 1_234
        var hashing = PasswordHashing(.scrypt)
        (hashing.rounds, hashing.memoryCost, hashing.order) = (8, 14, .saltFirst)
        account.password.hashing = hashing
        account.usesEmailLink = true
        account.customAttributes = #"{"admin":true}"#
        account.secondFactors = [
            SecondFactor(id: "f1", displayName: "Phone", enrolledAt: "2026-11-28T00:00:00.000Z", phoneNumber: "+1555"),
            SecondFactor(id: "f2", sharedSecret: "JBSWY3DPEHPK3PXP"),
        ]
        account.passkeys = [Passkey(credentialID: "c1", name: "Key")]
        (account.validSince, account.createdAt, account.lastLoginAt, account.lastRefreshAt) = (
            0, 1, 2, 1_765_000_000_123
        )
        var identity = LinkedProvider(providerID: "google.com", rawID: "g1")
        identity.email = "alice@gmail.com"
        account.updateProviders(adding: [identity])
        return account
    }

    @Test func `a user comes back as it was stored, with what no answer shows`() throws {
        let account = Self.full
        try store.writing(scope) { try $0.save(account, replacing: nil) }
        #expect(try store.reading(scope) { try $0.account(id: "alice") } == account)
        let shown = account.json.rendered()
        #expect(!shown.contains("JBSWY3DPEHPK3PXP") && !shown.contains("hashing"))
    }

    @Test func `a user is found by everything that names it`() throws {
        try store.writing(scope) { try $0.save(Self.full, replacing: nil) }
        try store.reading(scope) { (users: AccountTransaction) throws in
            #expect(try users.account(email: "alice@example.com")?.localID == "alice")
            #expect(try users.account(initialEmail: "al@example.com")?.localID == "alice")
            #expect(try users.account(phoneNumber: "+15555550100")?.localID == "alice")
            #expect(try users.account(passkey: "c1")?.localID == "alice")
            #expect(try users.account(provider: "google.com", rawID: "g1")?.localID == "alice")
            #expect(try users.account(provider: "password", rawID: "alice@example.com")?.localID == "alice")
            #expect(try users.accounts(emailAnywhere: "alice@gmail.com").map(\.localID) == ["alice"])
            #expect(try users.identities(at: "google.com").map(\.rawID) == ["g1"])
        }
    }

    @Test func `a change takes back what the user was found by`() throws {
        let former = Self.full
        var account = former
        account.email = "new@example.com"
        account.phoneNumber = nil
        account.passkeys = []
        account.updateProviders(removing: ["google.com"])
        try store.writing(scope) { (users: AccountTransaction) throws in
            try users.save(former, replacing: nil)
            try users.save(account, replacing: former)
            #expect(try users.account(email: "alice@example.com") == nil)
            #expect(try users.account(phoneNumber: "+15555550100") == nil)
            #expect(try users.account(passkey: "c1") == nil)
            #expect(try users.account(provider: "google.com", rawID: "g1") == nil)
            #expect(try users.account(provider: "password", rawID: "new@example.com")?.localID == "alice")
            try users.remove(account)
            #expect(try users.account(provider: "password", rawID: "new@example.com") == nil)
            #expect(try users.accountCount() == 0)
        }
    }

    @Test func `nothing is stored by a transaction that throws`() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.writing(scope) { (users: AccountTransaction) throws in
                try users.save(Self.full, replacing: nil)
                throw Stop()
            }
        }
        #expect(try store.reading(scope) { try $0.accountCount() } == 0)
    }

    @Test func `projects and tenants have users of their own`() throws {
        let tenant = AccountScope(project: "p", tenant: "t")
        try store.writing(scope) { try $0.save(Self.full, replacing: nil) }
        #expect(try store.reading(tenant) { try $0.account(email: "alice@example.com") } == nil)
        #expect(try store.reading(AccountScope(project: "q")) { try $0.accountCount() } == 0)
        try store.writing(tenant) { try $0.change(settings: .object(["a": .integer(1)])) }
        #expect(try store.tenants(of: "p", after: nil).map(\.id) == ["t"])
        try store.remove(tenant)
        #expect(try store.isRemoved(tenant))
        #expect(try store.tenants(of: "p", after: nil).isEmpty)
        #expect(try store.reading(scope) { try $0.accountCount() } == 1)
        try store.removeAll()
        #expect(try store.reading(scope) { try $0.accountCount() } == 0)
    }

    @Test func `codes are there until they are used, the oldest first`() throws {
        let codes = (1...3).map {
            ActionCode("c\($0)", for: .emailSignIn, email: "a@b", link: "http://l", createdAt: Int64($0))
        }
        try store.writing(scope) { (users: AccountTransaction) throws in
            for code in codes { try users.add(code) }
            try users.add(PhoneCode(phoneNumber: "+1", session: "s", code: "123456", createdAt: 0))
            try users.add(phoneProof: "proof", of: "+1", at: 0)
            #expect(try users.actionCode("c2") == codes[1])
            try users.remove(actionCode: "c2")
            #expect(try users.actionCodes() == [codes[0], codes[2]])
            #expect(try users.phoneCode(session: "s")?.code == "123456")
            try users.remove(phoneCode: "s")
            #expect(try users.phoneCodes().isEmpty)
            #expect(try users.isProof("proof", of: "+1") && !users.isProof("proof", of: "+2"))
        }
    }

    @Test func `everything is there after the store was opened again`() throws {
        try store.writing(scope) { try $0.save(Self.full, replacing: nil) }
        try store.close()
        let again = SQLiteAccountStore(path: directory.path + "/accounts.sqlite", isDurable: true)
        #expect(try again.reading(scope) { try $0.account(id: "alice") } == Self.full)
    }

    @Test(
        "times are those of JavaScript",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_765_000_000_123, "2025-12-06T05:46:40.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func times(milliseconds: Int64, text: String) {
        #expect(AccountTime.text(milliseconds: milliseconds) == text)
        #expect(AccountTime.milliseconds(text) == milliseconds)
    }
}
