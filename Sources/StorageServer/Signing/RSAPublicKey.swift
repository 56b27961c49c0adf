// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Foundation

/// An RSA key that checks signatures.
///
/// Unchecked, because the key is a C pointer: it is private, never changed after `init`, freed only with the last
/// reference, and libcrypto allows any number of threads to verify with one key at a time.
final class RSAPublicKey: @unchecked Sendable {
    private let key: OpaquePointer

    /// Reads a private key, a public key or a certificate in PEM; `nil` for anything else and for other kinds of key.
    init?(pem: String) {
        guard let (label, der) = Self.unwrap(pem), let key = Self.key(label, der: der) else { return nil }
        guard EVP_PKEY_is_a(key, "RSA") == 1 else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// Whether a signature is this key's of a message, by PKCS #1 v1.5 with SHA-256.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    private static func unwrap(_ pem: String) -> (label: Substring, der: [UInt8])? {
        let (begin, end, dashes) = ("-----BEGIN ", "-----END ", "-----")
        guard let start = pem.range(of: begin),
            let labelEnd = pem.range(of: dashes, range: start.upperBound..<pem.endIndex),
            let stop = pem.range(of: end, range: labelEnd.upperBound..<pem.endIndex),
            let data = Data(
                base64Encoded: String(pem[labelEnd.upperBound..<stop.lowerBound]),
                options: .ignoreUnknownCharacters
            )
        else { return nil }
        return (pem[start.upperBound..<labelEnd.lowerBound], Array(data))
    }

    private static func key(_ label: Substring, der: [UInt8]) -> OpaquePointer? {
        der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            switch label {
            case "PRIVATE KEY", "RSA PRIVATE KEY": return d2i_AutoPrivateKey(nil, &start, bytes.count)
            case "PUBLIC KEY": return d2i_PUBKEY(nil, &start, bytes.count)
            case "CERTIFICATE":
                guard let certificate = d2i_X509(nil, &start, bytes.count) else { return nil }
                defer { X509_free(certificate) }
                return X509_get_pubkey(certificate)
            default: return nil
            }
        }
    }
}
