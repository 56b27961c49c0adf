// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CCRC32C
import ObjectStore
import TestSupport
import Testing

@Suite struct DigestTests {
    @Test func `hashes as production does`() throws {
        let directory = TemporaryDirectory()
        let stored = try SQLiteObjectStore.make(directory).put(Array("hello world".utf8), at: .named("docs/a.txt"))
        #expect(stored.digest.md5Base64 == "XrY7u+Ae7tCTyyK7j1rNww==")
        #expect(stored.digest.md5Hex == "5eb63bbbe01eeed093cb22bb8f5acdc3")
        #expect(stored.digest.crc32cBase64 == "yZRlqg==")
    }

    @Test(
        "computes CRC-32C",
        arguments: [
            ([], 0), (Array("123456789".utf8), 0xE306_9283),
            // RFC 3720, appendix B.4.
            ([UInt8](repeating: 0, count: 32), 0x8A91_36AA), ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
            (Array(0..<32), 0x46DD_794E),
        ] as [([UInt8], UInt32)]
    )
    func computesCRC(bytes: [UInt8], expected: UInt32) {
        #expect(firemeter_crc32c_extend(0, bytes, bytes.count) == expected)
        #expect(firemeter_crc32c_extend_portable(0, bytes, bytes.count) == expected)
    }

    @Test func `extends a CRC from every split and alignment`() {
        let bytes = (0..<67).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let whole = firemeter_crc32c_extend_portable(0, bytes, bytes.count)
        for split in 0...bytes.count {
            let head = firemeter_crc32c_extend(0, Array(bytes[..<split]), split)
            let joined = bytes.withUnsafeBytes { buffer in
                let tail = UnsafeRawBufferPointer(rebasing: buffer[split...])
                return firemeter_crc32c_extend(head, tail.baseAddress, tail.count)
            }
            #expect(joined == whole)
        }
    }

    @Test func `makes the entity tag of production`() throws {
        let directory = TemporaryDirectory()
        let store = try SQLiteObjectStore.make(directory)
        let path = try ObjectPath.named("a")
        try store.put([], at: path)
        let updated = try #require(try store.update(at: path) { $0.cacheControl = "no-store" })
        #expect(updated.generation == 1_790_789_164_648_913)
        #expect(updated.metageneration == 2)
        #expect(updated.etag == "CNGTm8DplpcDEAI=")
    }

    @Test func `reads the checksums of clients`() {
        #expect(ExpectedDigest.crc32c(base64: "yZRlqg==") == 0xC994_65AA)
        #expect(ExpectedDigest.crc32c(base64: "yZRl") == nil)
        #expect(ExpectedDigest.md5(base64: "XrY7u+Ae7tCTyyK7j1rNww==")?.count == 16)
        #expect(ExpectedDigest.md5(base64: "not base64") == nil)
    }
}
