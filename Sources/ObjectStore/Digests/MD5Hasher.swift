// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

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
