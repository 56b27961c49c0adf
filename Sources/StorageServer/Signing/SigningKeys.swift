// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The keys by which signed URLs and signed forms are judged.
///
/// Without any key, signatures are not judged; their form and their expiry always are. With keys, the signature of an
/// account that has none here is refused.
package struct SigningKeys: Sendable {
    private var rsaKeys: [String: RSAPublicKey] = [:]
    private var secrets: [String: [UInt8]] = [:]

    /// Creates a set without keys.
    package init() {}

    /// Whether there are no keys.
    package var isEmpty: Bool { rsaKeys.isEmpty && secrets.isEmpty }

    /// Adds the key of a service account, as the console of Google Cloud gives it out.
    ///
    /// The file is a JSON object with `client_email` and `private_key`; of the key only the public half is used.
    package mutating func addServiceAccount(json: [UInt8]) throws(SigningKeyError) {
        guard let account = try? JSONDecoder().decode(ServiceAccount.self, from: Data(json)) else {
            throw .noServiceAccount
        }
        try addKey(pem: account.privateKey, for: account.clientEmail)
    }

    /// Adds an RSA key, public or private, or a certificate, in PEM.
    package mutating func addKey(pem: String, for account: String) throws(SigningKeyError) {
        guard let key = RSAPublicKey(pem: pem) else { throw .noKey(of: account) }
        rsaKeys[account] = key
    }

    /// Adds the secret of an HMAC key.
    package mutating func addSecret(_ secret: String, for accessID: String) {
        secrets[accessID] = Array(secret.utf8)
    }

    /// Whether a signature is one of a message by a service account; `nil` when there is no key to say so.
    func verify(_ signature: [UInt8], of message: String, byAccount account: String) -> Bool? {
        rsaKeys[account]?.verify(signature, of: Array(message.utf8))
    }

    /// Whether a signature is one of a message by the account of a credential; `nil` when there is no key to say so.
    func verify(
        _ signature: [UInt8],
        of message: String,
        by credential: SigningCredential,
        algorithm: SigningAlgorithm
    ) -> Bool? {
        switch algorithm {
        case .rsa: verify(signature, of: message, byAccount: credential.account)
        case .hmac:
            secrets[credential.account].map { secret in
                let expected = MessageDigest.hmac(key: credential.key(from: secret), of: Array(message.utf8))
                return signature.equalsInConstantTime(expected)
            }
        }
    }
}

/// The members of a service account's file that matter here.
private struct ServiceAccount: Decodable {
    let clientEmail: String
    let privateKey: String

    enum CodingKeys: String, CodingKey {
        case clientEmail = "client_email"
        case privateKey = "private_key"
    }
}

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
    /// The problem, and how it may be remedied.
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
