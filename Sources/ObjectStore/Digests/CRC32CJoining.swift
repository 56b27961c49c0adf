// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
