// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The 64-bit FNV-1a hash, the same in every process.
///
/// Constants after draft-eastlake-fnv-21 (2023).
package enum FNV1a64 {
    package static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

/// The 128-bit FNV-1a hash, for file names.
enum FNV1a128 {
    private static let digitCount = 32

    /// The hash as 32 lowercase digits.
    static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
        var high: UInt64 = 0x6C62_272E_07BB_0142
        var low: UInt64 = 0x62B8_2175_6295_C58D
        for byte in bytes {
            low ^= UInt64(byte)
            // The prime is 2^88 + 0x13B. Written in halves because UInt128 needs iOS 18.
            let (carry, product) = low.multipliedFullWidth(by: 0x13B)
            high = high &* 0x13B &+ carry &+ (low << 24)
            low = product
        }
        return hexadecimal(high: high, low: low)
    }

    /// The digits of a hash in two halves.
    static func hexadecimal(high: UInt64, low: UInt64) -> String { digits(high) + digits(low) }

    static func isHexadecimal(_ name: some StringProtocol) -> Bool {
        name.utf8.count == digitCount && name.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static func digits(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: digitCount / 2 - digits.count) + digits
    }
}
