// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why a key cannot be used to judge signatures.
package struct SigningKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    package enum Code: Hashable, Sendable {
        /// The text is not a service account's file.
        case noServiceAccount
        /// The text holds no RSA key.
        case noKey
    }

    /// The kind of fault.
    package let code: Code
    /// What is wrong and how it may be remedied.
    package let message: String

    package var description: String { message }

    static let noServiceAccount = Self(
        code: .noServiceAccount,
        message: "a service account's key must be a JSON object with client_email and private_key;"
            + " download it again from the console"
    )

    static func noKey(of account: String) -> Self {
        Self(code: .noKey, message: "the key of \(account) must be an RSA key or a certificate in PEM")
    }
}
