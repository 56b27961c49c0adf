// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// Which picture of a feed is meant; with a seed it determines the picture.
package struct PhotoIdentity: Sendable, Hashable {
    /// The id of the user who owns the post.
    package let owner: String
    /// The id of the post.
    package let feed: String
    /// The picture's place in the post.
    package let index: Int

    /// Names a picture.
    package init(owner: String, feed: String, index: Int) {
        self.owner = owner
        self.feed = feed
        self.index = index
    }

    /// A generator for one purpose, so that more draws for one do not shift another's.
    func generator(seed: UInt64, purpose: String) -> SplitMix64 {
        var hash = StableHash()
        hash.combine(seed)
        hash.combine(purpose)
        hash.combine(owner)
        hash.combine(feed)
        hash.combine(UInt64(truncatingIfNeeded: index))
        return SplitMix64(seed: hash.value)
    }
}

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
