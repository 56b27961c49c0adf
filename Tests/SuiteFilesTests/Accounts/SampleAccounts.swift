// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// A user of each kind.
enum SampleAccounts {
    static var all: [Account] {
        [anonymous, password, imported, phone, federated, phoneFactor, authenticator, link, passkey]
    }

    private static func account(_ id: String, _ change: (inout Account) -> Void) -> Account {
        var account = Account(localID: id)
        account.createdAt = 1_700_000_000_000
        change(&account)
        account.updateProviders()
        return account
    }

    static let anonymous = account("anonymous") { $0.lastLoginAt = 1_700_000_000_001 }

    static let password = account("password") {
        $0.email = "password@example.com"
        $0.isEmailVerified = false
        $0.initialEmail = "before@example.com"
        $0.displayName = "Pass \"word\" Ünal 😀\u{2028}"
        $0.photoURL = "https://example.com/a.png?b=c&d=%20"
        $0.isDisabled = true
        $0.password.salt = "fakeSaltABCDEFGHIJKLMNOPQRST"
        $0.password.hash = "fakeHash:salt=fakeSaltABCDEFGHIJKLMNOPQRST:password=se:cr\\\"et"
        $0.password.updatedAt = 1_700_000_000_002
        $0.customAttributes = #"{"admin":true,"groups":["a","b"]}"#
        $0.validSince = 1_700_000_000
        $0.lastLoginAt = 1_700_000_000_003
        $0.lastRefreshAt = 1_700_000_000_004
        $0.lastActiveMonths = ActiveMonths(tier1: 24_322)
    }

    /// One with a hash of production.
    static let imported = account("imported") {
        $0.email = "imported@example.com"
        $0.password.hash = "aGFzaA=="
        $0.password.salt = "c2FsdA=="
        $0.password.updatedAt = 1_700_000_000_002
        var hashing = PasswordHashing(.scrypt)
        (hashing.rounds, hashing.memoryCost, hashing.signerKey) = (8, 14, "a2V5")
        $0.password.hashing = hashing
    }

    static let phone = account("phone") { $0.phoneNumber = "+15555550100" }

    static let federated = account("federated") {
        $0.email = "federated@example.com"
        $0.isEmailVerified = true
        $0.screenName = "fed"
        var google = LinkedProvider(providerID: "google.com", rawID: "1234")
        google.federatedID = "https://accounts.google.com/1234"
        (google.email, google.displayName, google.photoURL) = ("federated@gmail.com", "Fed", "https://example.com/p")
        var twitter = LinkedProvider(providerID: "twitter.com", rawID: "5")
        twitter.screenName = "fed"
        $0.providers = [google, twitter, LinkedProvider(providerID: "oidc.mine", rawID: "sub/1")]
    }

    static let phoneFactor = account("phoneFactor") {
        $0.email = "factor@example.com"
        $0.isEmailVerified = true
        $0.secondFactors = [
            SecondFactor(
                id: "f1",
                displayName: "Mine",
                enrolledAt: "2026-11-01T00:00:00.000Z",
                phoneNumber: "+15555550101"
            )
        ]
    }

    /// One with an authenticator app and a phone.
    static let authenticator = account("authenticator") {
        $0.email = "app@example.com"
        $0.isEmailVerified = true
        var app = SecondFactor(id: "f2", displayName: "App", enrolledAt: "2026-11-01T00:00:00.000Z")
        (app.sharedSecret, app.lastInterval) = ("JBSWY3DPEHPK3PXP", 59_000_000)
        $0.secondFactors = [
            app, SecondFactor(id: "f3", enrolledAt: "2026-11-01T00:00:00.000Z", phoneNumber: "+15555550102"),
        ]
    }

    static let link = account("link") {
        $0.email = "link@example.com"
        $0.usesEmailLink = true
        $0.usesCustomToken = true
    }

    static let passkey = account("passkey") { $0.passkeys = [Passkey(credentialID: "c1", name: "Key")] }
}
