// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import ObjectStore

/// A key that the client encrypts an object with and brings along in each request.
///
/// Firemeter keeps the bytes as they are and only the hash of the key: it answers as production does to a right, a wrong
/// and a missing key. Source: https://cloud.google.com/storage/docs/encryption/customer-supplied-keys (2026-11).
struct CustomerKey: Equatable {
    /// The one algorithm there is.
    static let algorithm = "AES256"
    private static let keyByteCount = 32

    /// The base64 of the key's SHA-256.
    let hash: String

    /// Reads the three header fields; `nil` when there are none.
    ///
    /// Those of the source of a copy begin with `x-goog-copy-source-encryption-`.
    static func read(
        _ call: StorageCall,
        prefix: String = "x-goog-encryption-"
    ) throws(StorageFailure) -> CustomerKey? {
        let algorithm = call["\(prefix)algorithm"]
        guard let text = call["\(prefix)key"] else {
            guard algorithm == nil else { throw .invalidKey("Missing an encryption key.") }
            return nil
        }
        guard algorithm == Self.algorithm else { throw .invalidKey("The encryption algorithm must be AES256.") }
        guard let key = Data(base64Encoded: text), key.count == keyByteCount else {
            throw .invalidKey("The encryption key must be the base64 of 32 bytes.")
        }
        let hash = SHA256Digest.base64(of: key)
        if let claimed = call["\(prefix)key-sha256"], claimed != hash {
            throw .invalidKey("The encryption key's SHA256 hash does not match the one provided.")
        }
        return CustomerKey(hash: hash)
    }

    /// Throws unless the request brings the very key, or none for an object without one.
    static func check(_ key: CustomerKey?, opens object: ObjectMetadata) throws(StorageFailure) {
        switch (object.customerKeyHash, key?.hash) {
        case (nil, nil): return
        case (let stored?, let given?) where stored == given: return
        case (_?, nil): throw .encrypted
        case (nil, _?): throw .notEncrypted
        default: throw .wrongKey
        }
    }
}

extension StorageFailure {
    fileprivate static func invalidKey(_ message: String) -> Self {
        Self(status: 400, message: message, reason: "customerEncryptionKeyFormatIsInvalid")
    }

    fileprivate static let encrypted = Self(
        status: 400,
        message: "The target object is encrypted by a customer-supplied encryption key.",
        reason: "resourceIsEncryptedWithCustomerEncryptionKey"
    )

    fileprivate static let notEncrypted = Self(
        status: 400,
        message: "The target object is not encrypted by a customer-supplied encryption key.",
        reason: "resourceNotEncryptedWithCustomerEncryptionKey"
    )

    fileprivate static let wrongKey = Self(
        status: 400,
        message: "The provided encryption key is incorrect.",
        reason: "customerEncryptionKeyIsIncorrect"
    )
}
