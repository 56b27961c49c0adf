// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog
import Testing

struct MentionTests {
    /// The vectors of SipHash's paper: the key 00 to 0f, and the first bytes of 00, 01, 02 and so on.
    @Test(
        arguments: [
            (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (7, 0xAB02_00F5_8B01_D137),
            (8, 0x93F5_F579_9A93_2462), (15, 0xA129_CA61_49BE_45E5),
        ] as [(UInt8, UInt64)]
    )
    func `hashes as SipHash does`(byteCount: UInt8, expected: UInt64) throws {
        let (low, high) = (0x0706_0504_0302_0100 as UInt64, 0x0F0E_0D0C_0B0A_0908 as UInt64)
        let hash = try #require(MentionHash(key: "\(String(low, radix: 36))-\(String(high, radix: 36))"))
        #expect(hash.hash(0..<byteCount) == expected)
    }

    @Test func `is the same for who has the key, and another for everybody else`() throws {
        let hash = MentionHash()
        let again = try #require(MentionHash(key: hash.key))
        #expect(hash.text(of: "u1") == again.text(of: "u1"))
        #expect(hash.text(of: "u1") != hash.text(of: "u2"))
        #expect(hash.text(of: "u1") != MentionHash().text(of: "u1"))
    }

    @Test(arguments: ["", "x", "1", "1-2-3", "1--"]) func `refuses what is no key`(key: String) {
        #expect(MentionHash(key: key) == nil)
    }

    @Test(
        arguments: [
            ("u1/p1/0.jpg", "u1/p1/0.jpg"), ("p1", "p1"), ("gs://bucket/u1/p1/0.jpg", "u1/p1/0.jpg"),
            (
                "https://firebasestorage.googleapis.com/v0/b/b.appspot.com/o/u1%2Fp1%2F0.jpg?alt=media&token=secret",
                "u1/p1/0.jpg"
            ),
            ("http://127.0.0.1:9199/v0/b/b/o/a%20b?alt=media", "a b"),
            ("https://storage.googleapis.com/b/u1/p1/0%2B.jpg", "u1/p1/0+.jpg"),
            ("https://storage.googleapis.com/download/storage/v1/b/b/o/u1%2F0?generation=7", "u1/0"),
            ("https://example.com/u1/0.jpg", "https://example.com/u1/0.jpg"), ("gs://bucket", "gs://bucket"),
        ]
    )
    func `takes an object's name out of an address, without its token`(text: String, expected: String) {
        #expect(MentionedName.texts(in: text) == [expected])
    }
}
