// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The originator of a change, for functions that ask for it (`.withAuthContext`).
package struct EventPrincipal: Sendable, Equatable {
    /// The kinds of principals.
    ///
    /// Source: firebase-functions 7.2, `src/v2/providers/firestore/types.ts`, AuthType.
    package enum Kind: String, Sendable {
        case serviceAccount = "service_account"
        case apiKey = "api_key"
        case system
        case unauthenticated
        /// All others, also users of an app.
        case unknown
    }

    package let kind: Kind
    /// The user id, or the address of a service account.
    package let id: String?

    /// Creates a principal.
    package init(_ kind: Kind, id: String? = nil) {
        (self.kind, self.id) = (kind, id)
    }

    /// A principal that is not known.
    package static let unknown = Self(.unknown)
}
