// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ObjectReader {
    /// Hands out all the bytes in their order and returns their checksums, the MD5 of composed objects too.
    ///
    /// Throws `corrupt` when they are not the bytes that were stored.
    package func readVerified(_ take: (UnsafeRawBufferPointer) throws -> Void) throws -> ObjectDigest {
        var hasher = try ObjectHasher()
        let byteCount = try StagedBytes.read(file) { piece in
            try hasher.update(piece)
            try take(piece)
        }
        let digest = try hasher.finish()
        guard byteCount == metadata.byteCount, digest.crc32c == metadata.digest.crc32c,
            metadata.digest.md5 == nil || metadata.digest.md5 == digest.md5
        else { throw ObjectStoreError.blobAltered(metadata.path) }
        return digest
    }
}
