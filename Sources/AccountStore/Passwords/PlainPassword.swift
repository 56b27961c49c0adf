// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Passwords as the official emulator keeps them: not hashed, so that tests and its user interface can show them.
package enum PlainPassword {
    /// The beginning of every such hash.
    package static let prefix = "fakeHash:"

    /// Returns a password with its salt, in the place of a hash.
    package static func hash(_ password: String, salt: String) -> String {
        "\(prefix)salt=\(salt):password=\(password)"
    }
}
