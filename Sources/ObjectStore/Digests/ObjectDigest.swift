// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation

/// The checksums that every object carries.
package struct ObjectDigest: Hashable, Sendable {
    /// The number of bytes of an MD5 digest.
    package static let md5ByteCount = 16

    /// The MD5 digest, 16 bytes; `nil` for an object composed of others, as in production.
    package var md5: [UInt8]?
    /// The CRC-32C (Castagnoli) checksum.
    package var crc32c: UInt32

    /// Creates a digest from known checksums.
    package init(md5: [UInt8]?, crc32c: UInt32) {
        let count = md5?.count ?? Self.md5ByteCount
        precondition(count == Self.md5ByteCount, "an MD5 digest has 16 bytes (has \(count))")
        self.md5 = md5
        self.crc32c = crc32c
    }

    /// The MD5 digest in lower-case hexadecimal, as in the ETag of media.
    package var md5Hex: String? { md5.map(Hexadecimal.encode) }

    /// The MD5 digest in base64, as in `md5Hash`.
    package var md5Base64: String? { md5.map { Data($0).base64EncodedString() } }

    /// The CRC-32C in base64 of its four bytes, highest first, as in `crc32c`.
    package var crc32cBase64: String {
        withUnsafeBytes(of: crc32c.bigEndian) { Data($0) }.base64EncodedString()
    }
}
