// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The checksums a client says its upload has; those it does not name are not checked.
package struct ExpectedDigest: Hashable, Sendable {
    /// The MD5 digest, 16 bytes.
    package var md5: [UInt8]?
    /// The CRC-32C.
    package var crc32c: UInt32?

    /// No expectations.
    package static let anything = Self()

    /// Creates expectations.
    package init(md5: [UInt8]? = nil, crc32c: UInt32? = nil) {
        self.md5 = md5
        self.crc32c = crc32c
    }

    /// Reads the base64 of an MD5 digest; `nil` unless it is 16 bytes.
    package static func md5(base64 text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.count == ObjectDigest.md5ByteCount else { return nil }
        return Array(data)
    }

    /// Reads the base64 of a CRC-32C, highest byte first; `nil` unless it is 4 bytes.
    package static func crc32c(base64 text: String) -> UInt32? {
        guard let data = Data(base64Encoded: text), data.count == 4 else { return nil }
        return data.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Throws `hashMismatch` when a named checksum differs.
    func check(_ digest: ObjectDigest) throws {
        if let md5, md5 != digest.md5 {
            let expected = Data(md5).base64EncodedString()
            throw ObjectStoreError.hashMismatch("MD5 hash", expected: expected, actual: digest.md5Base64 ?? "")
        }
        if let crc32c, crc32c != digest.crc32c {
            let expected = ObjectDigest(md5: digest.md5, crc32c: crc32c).crc32cBase64
            throw ObjectStoreError.hashMismatch("CRC32C", expected: expected, actual: digest.crc32cBase64)
        }
    }
}
