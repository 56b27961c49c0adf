// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct BloomFilterTests {
    /// The test suite of RFC 1321, and lengths around a block.
    @Test(
        "digests messages",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
            (String(repeating: "x", count: 55), "04364420e25c512fd958a70738aa8f72"),
            (String(repeating: "x", count: 56), "668a72d5ba17f08e62dabcafad6db14b"),
            (String(repeating: "x", count: 63), "7dc2ca208106a2f703567bdff99d8981"),
            (String(repeating: "x", count: 64), "c1bb4f81d892b2d57947682aeb252456"),
            (String(repeating: "x", count: 120), "fb98667f98096de92620b64f46e1c5b5"),
        ]
    )
    func digests(message: String, expected: String) {
        let digest = MD5.digest(Array(message.utf8))
        #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    }

    private static func name(_ path: String) -> String { "projects/vectors/databases/(default)/documents/\(path)" }

    /// Made with the class of the Web SDK 4.17.1 that reads them.
    @Test(
        "has the bits clients look for",
        arguments: [
            (["r/a"], 17, 12, [0x3E, 0x3E, 0x00]),
            (["r/a", "r/b", "r/c"], 17, 12, [0x7F, 0xFF, 0x00]),
            (["users/ü/posts/日本語", "users/ü/posts/x y", "a/b"], 17, 12, [0xFF, 0xFF, 0x01]),
            ([], 17, 12, [0, 0, 0]),
            (["r/a"], 37, 13, [0xA1, 0xD1, 0x68, 0x14, 0x08]),
            (["r/a", "r/b"], 37, 13, [0xA9, 0xD1, 0xEC, 0x9C, 0x19]),
        ] as [([String], Int, Int, [UInt8])]
    )
    func hasBits(paths: [String], bitCount: Int, hashCount: Int, bits: [UInt8]) {
        let hashes = paths.map { NameHash(Self.name($0)) }
        let filter = BloomFilter(hashes, bitCount: bitCount, hashCount: hashCount)
        #expect(filter.bits == bits)
        #expect(filter.padding == bits.count * 8 - bitCount)
        #expect(paths.allSatisfy { filter.mightContain(Self.name($0)) })
    }

    @Test(
        "is as large as production's",
        arguments: [(0, 0, 0, 0), (1, 12, 4, 7), (2, 13, 8, 3), (3, 14, 12, 5), (100, 13, 240, 2)]
    )
    func isAsLarge(count: Int, hashCount: Int, byteCount: Int, padding: Int) {
        let filter = BloomFilter((0..<count).map { NameHash(Self.name("c/\($0)")) })
        #expect(filter.hashCount == hashCount)
        #expect(filter.bits.count == byteCount)
        #expect(filter.padding == padding)
    }

    @Test func `claims what is in it, and hardly anything else`() {
        let filter = BloomFilter((0..<2_000).map { NameHash(Self.name("c/\($0)")) })
        #expect((0..<2_000).allSatisfy { filter.mightContain(Self.name("c/\($0)")) })
        #expect((2_000..<12_000).count { filter.mightContain(Self.name("c/\($0)")) } < 10)
        #expect(!BloomFilter([]).mightContain(Self.name("c/0")))
    }
}
