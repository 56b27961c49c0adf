// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CCRC32C
import CLibCrypto
package import Foundation

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

/// An MD5 computation of libcrypto.
///
/// Unchecked, because the context is a C pointer: it is private, owned by this instance alone, and `ObjectUpload`
/// calls the methods of its hasher only under its lock or after taking the hasher out of its locked state.
final class MD5Hasher: @unchecked Sendable {
    private let context: OpaquePointer

    init() throws {
        guard let context = EVP_MD_CTX_new() else { throw ObjectStoreError.hashUnavailable }
        guard EVP_DigestInit_ex(context, EVP_md5(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw ObjectStoreError.hashUnavailable
        }
        self.context = context
    }

    /// Begins where another computation stands.
    init(copying other: MD5Hasher) throws {
        guard let context = EVP_MD_CTX_new() else { throw ObjectStoreError.hashUnavailable }
        guard EVP_MD_CTX_copy_ex(context, other.context) == 1 else {
            EVP_MD_CTX_free(context)
            throw ObjectStoreError.hashUnavailable
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw ObjectStoreError.hashUnavailable
        }
    }

    /// Returns the 16 bytes of the digest; the hasher must not be used afterwards.
    func finish() throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: ObjectDigest.md5ByteCount)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw ObjectStoreError.hashUnavailable }
        return digest
    }
}

/// SHA-256 by the system's libcrypto.
package enum SHA256Digest {
    private static let byteCount = 32

    /// Returns the 32 bytes of the digest.
    package static func bytes(of data: Data) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        let isDone = data.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
        precondition(isDone == 1, "every libcrypto computes SHA-256")
        return digest
    }

    /// Returns the digest in base64.
    package static func base64(of data: Data) -> String {
        Data(bytes(of: data)).base64EncodedString()
    }
}
