// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SQLiteObjectStore {
    /// Writes files one after the other into a blob, which no row names yet; each is opened when its turn comes.
    func join<Parts: Sequence>(_ parts: Parts, _ open: (Parts.Element) throws -> StoreFile) throws -> StagedBytes {
        var bytes = try StagedBytes(in: directory, byteCountMax: configuration.objectByteCountMax, isHashed: false)
        do {
            for part in parts { try bytes.append(contentsOf: open(part)) }
            try bytes.place()
            return bytes
        } catch {
            bytes.discard()
            throw error
        }
    }
}

extension ObjectDigest {
    /// The digest of bytes one after the other, computed from those of the parts; without an MD5, as in production.
    static func joining(_ parts: some Sequence<(digest: ObjectDigest, byteCount: Int64)>) -> ObjectDigest {
        let crc32c = parts.reduce(UInt32(0)) { sum, part in
            CRC32CJoining.join(sum, part.digest.crc32c, byteCount: part.byteCount)
        }
        return ObjectDigest(md5: nil, crc32c: crc32c)
    }
}
