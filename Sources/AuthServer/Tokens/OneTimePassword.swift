// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// Codes that an app and a server compute from a secret that they share (RFC 4226, RFC 6238).
enum OneTimePassword {
    static let digitCount = 6
    static let periodSeconds: Int64 = 30

    /// The code of an interval.
    static func code(key: [UInt8], counter: Int64) -> String? {
        let message = withUnsafeBytes(of: counter.bigEndian, Array.init)
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard HMAC(EVP_sha1(), key, Int32(key.count), message, message.count, &digest, &count) != nil, count == 20
        else { return nil }
        let offset = Int(digest[19] & 0xF)
        let number = digest[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: digitCount - digits.count) + digits
    }
}

/// Bytes in letters and digits that people can type (RFC 4648 section 6), without padding.
enum Base32 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (bits, bitCount) = (UInt32(0), 0)
        for byte in bytes {
            (bits, bitCount) = (bits << 8 | UInt32(byte), bitCount + 8)
            while bitCount >= 5 {
                bitCount -= 5
                text.append(letters[Int(bits >> UInt32(bitCount)) & 31])
            }
            bits &= (1 << UInt32(bitCount)) - 1
        }
        if bitCount > 0 { text.append(letters[Int(bits << UInt32(5 - bitCount)) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, bitCount) = (UInt32(0), 0)
        for letter in text.utf8 where letter != UInt8(ascii: "=") {
            guard let value = letters.firstIndex(of: letter) else { return nil }
            (bits, bitCount) = (bits << 5 | UInt32(value), bitCount + 5)
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                bits &= (1 << UInt32(bitCount)) - 1
            }
        }
        return bytes
    }
}
