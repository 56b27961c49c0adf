// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CCRC32C

/// Hashes the bytes of an upload as they arrive.
struct ObjectHasher: Sendable {
    private let md5: MD5Hasher
    private var crc32c: UInt32 = 0

    init() throws {
        md5 = try MD5Hasher()
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) throws {
        try md5.update(bytes)
        crc32c = firemeter_crc32c_extend(crc32c, bytes.baseAddress, bytes.count)
    }

    /// Returns the checksums of the bytes so far; the hasher can be used on.
    func running() throws -> ObjectDigest {
        ObjectDigest(md5: try MD5Hasher(copying: md5).finish(), crc32c: crc32c)
    }

    /// Returns the checksums; the hasher must not be used afterwards.
    func finish() throws -> ObjectDigest {
        ObjectDigest(md5: try md5.finish(), crc32c: crc32c)
    }
}
