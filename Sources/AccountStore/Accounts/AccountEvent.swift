// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A user that came or went, other than by an import or with all others.
package struct AccountEvent: Sendable {
    /// Which of both.
    package enum Kind: Sendable {
        case created
        case deleted
    }

    /// Which of both.
    package let kind: Kind
    /// The user, as it was in the end.
    package let account: Account
    /// The project and tenant.
    package let scope: AccountScope
}
