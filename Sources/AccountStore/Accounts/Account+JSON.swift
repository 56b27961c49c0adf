// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

extension Account {
    /// The account as the API has it (`UserInfo` of Identity Toolkit v1).
    package var json: JSONText { .object(compacting: members) }

    /// The account as it is kept: with what no answer has.
    var record: String {
        JSONText.object(compacting: members + hidden).rendered(isIndented: false)
    }

    /// The members that no answer has, with the second factors if some of them are of one; empty where there are none.
    package var hiddenMembers: [(String, JSONText)] {
        let present = hidden.compactMap { member in member.1.map { (member.0, $0) } }
        guard sharedSecrets != nil || lastIntervals != nil else { return present }
        return members.compactMap { $0.0 == Self.factors ? $0.1.map { (Self.factors, $0) } : nil } + present
    }

    private static let factors = "mfaInfo"

    private var hidden: [(String, JSONText?)] {
        [
            ("hashing", password.hashing.map(\.json)),
            ("sharedSecrets", sharedSecrets),
            ("lastIntervals", lastIntervals),
            ("tier1ActiveMonth", lastActiveMonths.tier1.map(JSONText.integer)),
            ("tier2ActiveMonth", lastActiveMonths.tier2.map(JSONText.integer)),
        ]
    }

    private var members: [(String, JSONText?)] {
        [
            ("localId", .string(localID)), ("tenantId", tenantID.map(JSONText.string)),
            ("email", email.map(JSONText.string)), ("emailVerified", isEmailVerified.map(JSONText.boolean)),
            ("initialEmail", initialEmail.map(JSONText.string)),
            ("displayName", displayName.map(JSONText.string)), ("photoUrl", photoURL.map(JSONText.string)),
            ("phoneNumber", phoneNumber.map(JSONText.string)), ("screenName", screenName.map(JSONText.string)),
            ("disabled", isDisabled.map(JSONText.boolean)),
            ("passwordHash", password.hash.map(JSONText.string)), ("salt", password.salt.map(JSONText.string)),
            ("passwordUpdatedAt", password.updatedAt.map(JSONText.integer)),
            ("emailLinkSignin", usesEmailLink.map(JSONText.boolean)),
            ("customAuth", usesCustomToken.map(JSONText.boolean)),
            ("customAttributes", customAttributes.map(JSONText.string)),
            ("providerUserInfo", providers.map { .array($0.map(\.json)) }),
            (Self.factors, secondFactors.map { .array($0.map(\.json)) }),
            ("passkeyInfo", passkeys.map { .array($0.map(\.json)) }),
            ("validSince", validSince.map { .string(String($0)) }),
            ("createdAt", createdAt.map { .string(String($0)) }),
            ("lastLoginAt", lastLoginAt.map { .string(String($0)) }),
            ("lastRefreshAt", lastRefreshAt.map { .string(AccountTime.text(milliseconds: $0)) }),
        ]
    }

    private var sharedSecrets: JSONText? {
        let secrets = (secondFactors ?? []).compactMap { factor in
            factor.sharedSecret.map { (factor.id, JSONText.string($0)) }
        }
        return secrets.isEmpty ? nil : .object(secrets)
    }

    private var lastIntervals: JSONText? {
        let intervals = (secondFactors ?? []).compactMap { factor in
            factor.lastInterval.map { (factor.id, JSONText.integer($0)) }
        }
        return intervals.isEmpty ? nil : .object(intervals)
    }

    /// Reads an account as it is kept.
    init(record text: String) throws {
        let json = try JSONValue(parsing: Array(text.utf8))
        guard let localID = json["localId"]?.string else { throw AccountStoreError.recordUnreadable }
        self.init(localID: localID)
        tenantID = json["tenantId"]?.string
        email = json["email"]?.string
        isEmailVerified = json["emailVerified"]?.boolean
        initialEmail = json["initialEmail"]?.string
        displayName = json["displayName"]?.string
        photoURL = json["photoUrl"]?.string
        phoneNumber = json["phoneNumber"]?.string
        screenName = json["screenName"]?.string
        isDisabled = json["disabled"]?.boolean
        password.hash = json["passwordHash"]?.string
        password.salt = json["salt"]?.string
        password.updatedAt = json["passwordUpdatedAt"]?.integer
        usesEmailLink = json["emailLinkSignin"]?.boolean
        usesCustomToken = json["customAuth"]?.boolean
        customAttributes = json["customAttributes"]?.string
        providers = json["providerUserInfo"]?.array?.compactMap(LinkedProvider.init(json:))
        passkeys = json["passkeyInfo"]?.array?.compactMap(Passkey.init(json:))
        validSince = json["validSince"]?.string.flatMap { Int64($0) }
        createdAt = json["createdAt"]?.string.flatMap { Int64($0) }
        lastLoginAt = json["lastLoginAt"]?.string.flatMap { Int64($0) }
        lastRefreshAt = json["lastRefreshAt"]?.string.flatMap(AccountTime.milliseconds)
        takeHiddenMembers(of: json)
    }

    /// Reads ``hiddenMembers``; the second factors stay as they are where the value has none.
    package mutating func takeHiddenMembers(of json: JSONValue) {
        password.hashing = json["hashing"].flatMap(PasswordHashing.init(json:))
        if let factors = json[Self.factors]?.array {
            secondFactors = factors.compactMap {
                SecondFactor(json: $0, secrets: json["sharedSecrets"], intervals: json["lastIntervals"])
            }
        }
        lastActiveMonths = ActiveMonths(
            tier1: json["tier1ActiveMonth"]?.integer,
            tier2: json["tier2ActiveMonth"]?.integer
        )
    }
}

extension LinkedProvider {
    /// The identity as the API has it (`ProviderUserInfo`).
    package var json: JSONText {
        .object(compacting: [
            ("providerId", .string(providerID)), ("rawId", .string(rawID)),
            ("federatedId", federatedID.map(JSONText.string)), ("email", email.map(JSONText.string)),
            ("displayName", displayName.map(JSONText.string)), ("photoUrl", photoURL.map(JSONText.string)),
            ("phoneNumber", phoneNumber.map(JSONText.string)), ("screenName", screenName.map(JSONText.string)),
        ])
    }

    /// Reads an identity; `nil` for one without its provider or its id.
    package init?(json: JSONValue) {
        guard let providerID = json["providerId"]?.string, let rawID = json["rawId"]?.string,
            !providerID.isEmpty, !rawID.isEmpty
        else { return nil }
        self.init(providerID: providerID, rawID: rawID)
        federatedID = json["federatedId"]?.string
        email = json["email"]?.string
        displayName = json["displayName"]?.string
        photoURL = json["photoUrl"]?.string
        phoneNumber = json["phoneNumber"]?.string
        screenName = json["screenName"]?.string
    }
}

extension SecondFactor {
    /// The factor as the API has it (`MfaEnrollment`); the secret of an authenticator app is never shown.
    package var json: JSONText {
        .object(compacting: [
            ("mfaEnrollmentId", .string(id)), ("displayName", displayName.map(JSONText.string)),
            ("enrolledAt", enrolledAt.map(JSONText.string)), ("phoneInfo", phoneNumber.map(JSONText.string)),
            ("unobfuscatedPhoneInfo", repeatsNumber ? phoneNumber.map(JSONText.string) : nil),
            ("totpInfo", sharedSecret.map { _ in .object([]) }),
        ])
    }

    fileprivate init?(json: JSONValue, secrets: JSONValue?, intervals: JSONValue?) {
        guard let id = json["mfaEnrollmentId"]?.string else { return nil }
        self.init(
            id: id,
            displayName: json["displayName"]?.string,
            enrolledAt: json["enrolledAt"]?.string,
            phoneNumber: json["phoneInfo"]?.string,
            sharedSecret: secrets?[id]?.string
        )
        lastInterval = intervals?[id]?.integer
    }
}

extension Passkey {
    fileprivate var json: JSONText {
        .object(compacting: [("credentialId", .string(credentialID)), ("name", name.map(JSONText.string))])
    }

    /// Reads a passkey; `nil` for one without its id.
    package init?(json: JSONValue) {
        guard let id = json["credentialId"]?.string else { return nil }
        self.init(credentialID: id, name: json["name"]?.string)
    }
}
