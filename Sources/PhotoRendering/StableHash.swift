// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// FNV-1a with 64 bits (RFC 9923): unlike `Hasher`, the same in every process.
package struct StableHash: Sendable {
    /// The hash of what was combined so far.
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Starts with nothing.
    package init() {}

    /// Adds bytes.
    package mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Adds a text and its end, so that "ab", "c" differs from "a", "bc".
    package mutating func combine(_ text: String) {
        combine(text.utf8)
        // Occurs in no UTF-8.
        combine(CollectionOfOne(0xFF))
    }

    /// Adds a number.
    package mutating func combine(_ number: UInt64) {
        combine((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }
}
