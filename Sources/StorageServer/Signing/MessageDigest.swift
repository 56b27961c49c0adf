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
    static func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
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

/// Bytes as lower-case hexadecimal digits, the form of hashes and signatures in signed requests.
enum HexadecimalText {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns two digits for every byte.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns `nil` for an odd number of digits, and for anything that is not a digit of either case.
    static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[start]), let low = value(digits[start + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
