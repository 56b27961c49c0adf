// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import AccountStore
package import JSON

/// Whose answers the server gives where the official emulator and production differ.
///
/// Production's answers were recorded by others in September 2026 (t-k/fireemu, conformance/auth-*-production.json,
/// Apache-2.0).
package enum AuthProfile: String, Sendable, CaseIterable {
    /// The official emulator's (firebase-tools 15.28.1), so that its users and its test suites see no difference.
    case emulator
    case production

    var isProduction: Bool { self == .production }

    /// The settings of a project that has none of its own.
    package func defaults(of project: String) -> JSONValue {
        switch self {
        case .emulator: AuthSettings.projectDefaults
        case .production: ProductionSettings.defaults(of: project)
        }
    }

    /// The settings of a tenant that an import names without describing it: every way to sign in is switched on.
    package func defaults(ofImportedTenant scope: AccountScope) -> JSONValue { AuthSettings.namedTenant(scope) }

    /// The settings of a scope, from how they are kept.
    func completed(_ settings: JSONValue, of scope: AccountScope) -> JSONValue {
        guard isProduction, scope.tenant == nil else { return settings }
        return ProductionSettings.completed(settings, of: scope.project)
    }
}

extension Account {
    /// The text in the place of a hash that is not shown: "REDACTED" in base 64.
    private static let redacted = "UkVEQUNURUQ="

    /// The account as a profile shows it to apps and administrators; exports have the hashes.
    func shown(by profile: AuthProfile) -> Account {
        guard profile.isProduction else { return self }
        var account = self
        account.password.salt = nil
        if password.hash != nil { account.password.hash = Self.redacted }
        account.providers = providers.flatMap(\.inOrderOfProduction)
        account.secondFactors = secondFactors.flatMap(\.withNumbersOnce)
        return account
    }
}

extension [SecondFactor] {
    /// Each with its number in one member; left out where there are none.
    fileprivate var withNumbersOnce: Self? {
        let factors = map { factor in
            var factor = factor
            factor.repeatsNumber = false
            return factor
        }
        return isEmpty ? nil : factors
    }
}

extension [LinkedProvider] {
    /// The phone first, the password last; left out where there are none.
    fileprivate var inOrderOfProduction: Self? {
        func place(_ identity: LinkedProvider) -> Int {
            switch identity.providerID {
            case ProviderName.phone: 0
            case ProviderName.password: 2
            default: 1
            }
        }
        let sorted = enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
        return isEmpty ? nil : sorted.map(\.element)
    }
}
