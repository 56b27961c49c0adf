// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation

/// The checksums that every object carries.
package struct ObjectDigest: Hashable, Sendable {
    /// The number of bytes of an MD5 digest.
    package static let md5ByteCount = 16

    /// The MD5 digest, 16 bytes; `nil` for an object composed of others, as in production.
    package var md5: [UInt8]?
    /// The CRC-32C (Castagnoli) checksum.
    package var crc32c: UInt32

    /// Creates a digest from known checksums.
    package init(md5: [UInt8]?, crc32c: UInt32) {
        let count = md5?.count ?? Self.md5ByteCount
        precondition(count == Self.md5ByteCount, "an MD5 digest has 16 bytes (has \(count))")
        self.md5 = md5
        self.crc32c = crc32c
    }

    /// The MD5 digest in lower-case hexadecimal, as in the ETag of media.
    package var md5Hex: String? { md5.map(Hexadecimal.encode) }

    /// The MD5 digest in base64, as in `md5Hash`.
    package var md5Base64: String? { md5.map { Data($0).base64EncodedString() } }

    /// The CRC-32C in base64 of its four bytes, highest first, as in `crc32c`.
    package var crc32cBase64: String {
        withUnsafeBytes(of: crc32c.bigEndian) { Data($0) }.base64EncodedString()
    }
}

/// The checksums a client says its upload has; those it does not name are not checked.
package struct ExpectedDigest: Hashable, Sendable {
    /// The MD5 digest, 16 bytes.
    package var md5: [UInt8]?
    /// The CRC-32C.
    package var crc32c: UInt32?

    /// No expectations.
    package static let anything = Self()

    /// Creates expectations.
    package init(md5: [UInt8]? = nil, crc32c: UInt32? = nil) {
        self.md5 = md5
        self.crc32c = crc32c
    }

    /// Reads the base64 of an MD5 digest; `nil` unless it is 16 bytes.
    package static func md5(base64 text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.count == ObjectDigest.md5ByteCount else { return nil }
        return Array(data)
    }

    /// Reads the base64 of a CRC-32C, highest byte first; `nil` unless it is 4 bytes.
    package static func crc32c(base64 text: String) -> UInt32? {
        guard let data = Data(base64Encoded: text), data.count == 4 else { return nil }
        return data.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Throws `hashMismatch` when a named checksum differs.
    func check(_ digest: ObjectDigest) throws {
        if let md5, md5 != digest.md5 {
            let expected = Data(md5).base64EncodedString()
            throw ObjectStoreError.hashMismatch("MD5 hash", expected: expected, actual: digest.md5Base64 ?? "")
        }
        if let crc32c, crc32c != digest.crc32c {
            let expected = ObjectDigest(md5: digest.md5, crc32c: crc32c).crc32cBase64
            throw ObjectStoreError.hashMismatch("CRC32C", expected: expected, actual: digest.crc32cBase64)
        }
    }
}

/// The checksum of bytes put together, from the checksums of the parts alone.
///
/// A CRC is a remainder of polynomials: the first part's is moved past the second's bytes by multiplying it with a power
/// of x, and the second's is added.
enum CRC32CJoining {
    /// The Castagnoli polynomial, lowest power in the highest bit (RFC 3720 appendix B.4).
    private static let polynomial: UInt32 = 0x82F6_3B78
    private static let one: UInt32 = 1 << 31
    private static let x: UInt32 = 1 << 30

    /// Returns the checksum of the first part followed by the second, which has `byteCount` bytes.
    static func join(_ first: UInt32, _ second: UInt32, byteCount: Int64) -> UInt32 {
        product(powerOfX(bitCount: UInt64(byteCount) * 8), first) ^ second
    }

    private static func powerOfX(bitCount: UInt64) -> UInt32 {
        var (power, square, rest) = (one, x, bitCount)
        while rest > 0 {
            if rest & 1 == 1 { power = product(square, power) }
            square = product(square, square)
            rest >>= 1
        }
        return power
    }

    /// Multiplies two polynomials modulo the Castagnoli polynomial.
    private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
        var (sum, shifted, bit): (UInt32, UInt32, UInt32) = (0, right, one)
        while bit > 0 {
            if left & bit != 0 { sum ^= shifted }
            shifted = shifted & 1 == 1 ? (shifted >> 1) ^ polynomial : shifted >> 1
            bit >>= 1
        }
        return sum
    }
}
