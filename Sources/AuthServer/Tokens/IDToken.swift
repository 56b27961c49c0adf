// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import AccountStore
import JSON

/// What of a sign-in the tokens carry besides the user.
struct SignInFacts {
    /// The provider: an identity provider, or one of ``ProviderName``.
    var provider: String
    /// Claims of the session.
    var claims: [String: JSONValue] = [:]
    /// The id of the second factor, and its kind: `phone` or `totp`.
    var secondFactor: (id: String, kind: String)?
    /// Attributes of SAML.
    var attributes: JSONValue?
    /// When the user has signed in, in seconds since the Unix epoch; `nil` where that is the account's last sign-in.
    var authTime: Int64?
}

/// The token that says who a user is.
package enum IDToken {
    static let lifetimeSeconds: Int64 = 3_600
    /// The beginning of the issuer, before the project.
    package static let issuerPrefix = "https://securetoken.google.com/"

    /// Makes the token of a user.
    static func make(of account: Account, _ facts: SignInFacts, in scope: AccountScope, at seconds: Int64) -> String {
        var claims = Claims()
        claims["name"] = account.displayName.map(JSONText.string)
        claims["picture"] = account.photoURL.map(JSONText.string)
        if case .object(let attributes)? = account.customAttributes.flatMap({ try? JSONValue(parsing: Array($0.utf8)) })
        {
            claims.add(attributes)
        }
        claims.add(facts.claims)
        claims["email"] = account.email.map(JSONText.string)
        claims["email_verified"] = account.isEmailVerified.map(JSONText.boolean)
        claims["phone_number"] = account.phoneNumber.map(JSONText.string)
        claims["provider_id"] = facts.provider == ProviderName.anonymous ? .string(facts.provider) : nil
        let signedInAt = (account.lastLoginAt ?? account.lastRefreshAt ?? 0) / 1_000
        claims["auth_time"] = .integer(facts.authTime ?? signedInAt)
        claims["user_id"] = .string(account.localID)
        claims["firebase"] = firebase(account, facts, tenant: scope.tenant)
        claims["iat"] = .integer(seconds)
        claims["exp"] = .integer(seconds + lifetimeSeconds)
        claims["aud"] = .string(scope.project)
        claims["iss"] = .string(issuerPrefix + scope.project)
        claims["sub"] = .string(account.localID)
        return JSONWebToken.unsigned(.object(claims.members))
    }

    private static func firebase(_ account: Account, _ facts: SignInFacts, tenant: String?) -> JSONText {
        .object(compacting: [
            ("identities", .object(identities(account))), ("sign_in_provider", .string(facts.provider)),
            ("second_factor_identifier", facts.secondFactor.map { .string($0.id) }),
            ("sign_in_second_factor", facts.secondFactor.map { .string($0.kind) }),
            ("tenant", tenant.map(JSONText.string)), ("sign_in_attributes", facts.attributes.map(JSONText.init)),
        ])
    }

    private static func identities(_ account: Account) -> [(String, JSONText)] {
        let email = account.email.map { [("email", JSONText.array([.string($0)]))] } ?? []
        let others = (account.providers ?? []).filter { $0.providerID != LinkedProvider.password }
        return email + others.map { ($0.providerID, .array([.string($0.rawID)])) }
    }

    /// Claims in the order in which they were first named.
    private struct Claims {
        var members: [(String, JSONText)] = []

        subscript(name: String) -> JSONText? {
            get { members.first { $0.0 == name }?.1 }
            set {
                let place = members.firstIndex { $0.0 == name }
                switch (place, newValue) {
                case (let place?, let value?): members[place].1 = value
                case (let place?, nil): members.remove(at: place)
                case (nil, let value?): members.append((name, value))
                case (nil, nil): break
                }
            }
        }

        mutating func add(_ claims: [String: JSONValue]) {
            for (name, value) in claims.sorted(by: { $0.key < $1.key }) { self[name] = JSONText(value) }
        }
    }
}

/// The names of providers that are not identity providers.
enum ProviderName {
    static let anonymous = "anonymous"
    static let custom = "custom"
    static let gameCenter = "gc.apple.com"
    static let passkey = "passkey"
    static let password = LinkedProvider.password
    static let phone = LinkedProvider.phone

    /// The first factors that take no second one.
    static let withoutSecondFactor: Set<String> = [anonymous, custom, gameCenter, phone]
}
