// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The caller that makes a commit, as far as observers are interested in it.
package enum Committer: Sendable, Hashable {
    case administrator
    /// A user that is signed in; `nil` for a token without an id.
    case user(String?)
    case anonymous
}
