// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Foundation
import ObjectStore

/// Digests of messages that are held whole.
enum MessageDigest {
    private static let sha256BlockByteCount = 64
    private static let md5ByteCount = 16

    /// The SHA-256 of a message.
    static func sha256(_ message: [UInt8]) -> [UInt8] {
        SHA256Digest.bytes(of: Data(message))
    }

    /// The HMAC-SHA-256 of a message (RFC 2104).
    static func hmac(key: [UInt8], of message: [UInt8]) -> [UInt8] {
        let short = key.count > sha256BlockByteCount ? sha256(key) : key
        let block = short + [UInt8](repeating: 0, count: sha256BlockByteCount - short.count)
        return sha256(block.map { $0 ^ 0x5C } + sha256(block.map { $0 ^ 0x36 } + message))
    }

    /// The MD5 of a message; `nil` where libcrypto refuses to compute it, as in FIPS mode.
    static func md5(_ message: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: md5ByteCount)
        guard EVP_Digest(message, message.count, &digest, nil, EVP_md5(), nil) == 1 else { return nil }
        return digest
    }
}

extension [UInt8] {
    /// Whether two secrets are equal, in a time that does not depend on where they differ.
    func equalsInConstantTime(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
