// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// An identity by which a user signs in: at an identity provider, by e-mail and password, or by phone.
package struct LinkedProvider: Sendable, Equatable {
    /// The name of the provider of e-mail and password.
    package static let password = "password"
    /// The name of the provider of phone numbers.
    package static let phone = "phone"

    package let providerID: String
    /// The id of the user at the provider.
    package let rawID: String
    package var federatedID: String?
    package var email: String?
    package var displayName: String?
    package var photoURL: String?
    package var phoneNumber: String?
    package var screenName: String?

    /// Creates an identity.
    package init(providerID: String, rawID: String) {
        (self.providerID, self.rawID) = (providerID, rawID)
    }
}

extension Account {
    /// Changes the identities, and brings those of e-mail and phone in line with the account.
    ///
    /// - Parameters:
    ///   - added: Replace those of their providers.
    ///   - removed: The providers whose identities go.
    package mutating func updateProviders(adding added: [LinkedProvider] = [], removing removed: Set<String> = []) {
        var (added, removed) = (added, removed)
        if let email, password.hash != nil || usesEmailLink == true {
            var identity = LinkedProvider(providerID: LinkedProvider.password, rawID: email)
            (identity.email, identity.federatedID) = (email, email)
            (identity.displayName, identity.photoURL) = (displayName, photoURL)
            added.append(identity)
        } else {
            removed.insert(LinkedProvider.password)
        }
        if let phoneNumber {
            var identity = LinkedProvider(providerID: LinkedProvider.phone, rawID: phoneNumber)
            identity.phoneNumber = phoneNumber
            added.append(identity)
        } else {
            removed.insert(LinkedProvider.phone)
        }
        providers?.removeAll { removed.contains($0.providerID) }
        for identity in added { link(identity) }
    }

    private mutating func link(_ identity: LinkedProvider) {
        var linked = providers ?? []
        if let place = linked.firstIndex(where: { $0.providerID == identity.providerID }) {
            linked[place] = identity
        } else {
            linked.append(identity)
        }
        providers = linked
    }
}
