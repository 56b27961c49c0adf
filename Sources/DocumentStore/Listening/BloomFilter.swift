// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A set of document names that may claim others too, in the form clients read.
///
/// A name's bits are `(h1 + i * h2) mod 2^64 mod bitCount`, with the halves of its MD5 as little-endian numbers.
/// Source: firebase-ios-sdk, `Protos/protos/google/firestore/v1/bloom_filter.proto` (2026).
package struct BloomFilter: Sendable, Equatable {
    /// From the lowest bit of the first byte on.
    package private(set) var bits: [UInt8]
    /// How many bits of the last byte are not used: 0 to 7.
    package let padding: Int
    package let hashCount: Int

    /// A filter of names, each hashed once.
    init(_ names: [NameHash]) {
        let size = Size(nameCount: names.count)
        self.init(names, bitCount: size.bitCount, hashCount: size.hashCount)
    }

    init(_ names: [NameHash], bitCount: Int, hashCount: Int) {
        let byteCount = (bitCount + 7) / 8
        self.bits = [UInt8](repeating: 0, count: byteCount)
        self.padding = byteCount * 8 - bitCount
        self.hashCount = hashCount
        for name in names {
            for index in indices(of: name) {
                bits[index / 8] |= 1 << UInt8(index % 8)
            }
        }
    }

    /// Whether a name may be in it; never false for one that is.
    package func mightContain(_ name: String) -> Bool {
        guard bits.count * 8 > padding else { return false }
        return indices(of: NameHash(name)).allSatisfy { bits[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
    }

    private func indices(of name: NameHash) -> some Sequence<Int> {
        let bitCount = UInt64(bits.count * 8 - padding)
        return (0..<UInt64(hashCount)).lazy.map { Int((name.first &+ $0 &* name.second) % bitCount) }
    }

    /// How large a filter is.
    private struct Size {
        let bitCount: Int
        let hashCount: Int

        /// As production makes it for one to three names (recorded 2026-10).
        private static let recorded: [Int: Size] = [
            0: Size(bitCount: 0, hashCount: 0),
            1: Size(bitCount: 25, hashCount: 12),
            2: Size(bitCount: 61, hashCount: 13),
            3: Size(bitCount: 91, hashCount: 14),
        ]

        private init(bitCount: Int, hashCount: Int) {
            self.bitCount = bitCount
            self.hashCount = hashCount
        }

        /// For more names nothing is recorded: one false claim in 10,000, as in the tests of Google's client SDKs.
        init(nameCount: Int) {
            // -ln(0.0001) / ln(2)^2 bits a name; ln(2) times as many hashes.
            self =
                Self.recorded[nameCount]
                ?? Size(bitCount: Int((Double(nameCount) * 19.170_117).rounded(.up)), hashCount: 13)
        }
    }
}

/// A document's full name as a bloom filter sees it.
struct NameHash: Sendable {
    let first: UInt64
    let second: UInt64

    init(_ name: String) {
        let digest = MD5.digest(Array(name.utf8))
        self.first = Self.number(digest[..<8])
        self.second = Self.number(digest[8...])
    }

    private static func number(_ littleEndian: ArraySlice<UInt8>) -> UInt64 {
        littleEndian.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
