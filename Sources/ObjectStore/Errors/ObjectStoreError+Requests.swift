// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Faults of requests.
extension ObjectStoreError {
    /// Whether an upload that ends like this cannot end better when it is tried again.
    var isFinalForUploads: Bool {
        let final: [Code] = [
            .preconditionFailed, .notModified, .hashMismatch, .invalidAttribute, .held, .retained, .tooLarge,
        ]
        return final.contains(code)
    }

    static func preconditionFailed(_ path: ObjectPath) -> Self {
        Self(
            code: .preconditionFailed,
            message: "\(path) has not the version that the preconditions require; read it again and decide anew"
        )
    }

    static func notModified(_ path: ObjectPath) -> Self {
        Self(code: .notModified, message: "\(path) still has the version that the preconditions exclude")
    }

    static func tooLarge(limit: Int64) -> Self {
        Self(code: .tooLarge, message: "the object is larger than the limit of \(limit) bytes")
    }

    /// Worded as production does (recorded in 2026).
    static func hashMismatch(_ sum: String, expected: String, actual: String) -> Self {
        Self(
            code: .hashMismatch,
            message: "Provided \(sum) \"\(expected)\" doesn't match calculated \(sum) \"\(actual)\"."
        )
    }

    static func customMetadataTooLong(byteCount: Int) -> Self {
        Self(
            code: .invalidAttribute,
            message: "the custom metadata have \(byteCount) bytes;"
                + " the limit is \(ObjectAttributes.customMetadataByteCountMax)"
        )
    }

    static func attributesTooLong(byteCount: Int) -> Self {
        Self(
            code: .invalidAttribute,
            message: "the attributes have \(byteCount) bytes;"
                + " the limit is \(ObjectAttributes.fixedMetadataByteCountMax)"
        )
    }

    static let attributeHoldsNUL = Self(
        code: .invalidAttribute,
        message: "a content attribute, the cache control or the storage class holds a NUL character; remove it"
    )

    static let invalidPageToken = Self(
        code: .invalidPageToken,
        message: "the page token is not one that a listing returned; start again without a token"
    )

    static let uploadEnded = Self(
        code: .uploadEnded,
        message: "the upload was committed or abandoned before, or has failed; begin a new one"
    )

    static func bucketExists(_ bucket: BucketName) -> Self {
        Self(code: .bucketExists, message: "there is a bucket \(bucket) already")
    }

    static func bucketNotEmpty(_ bucket: BucketName) -> Self {
        Self(code: .bucketNotEmpty, message: "the bucket \(bucket) holds objects; delete them first")
    }

    static func componentMissing(_ path: ObjectPath) -> Self {
        Self(code: .componentMissing, message: "No such object: \(path)")
    }

    static func held(_ path: ObjectPath) -> Self {
        Self(code: .held, message: "\(path) is under an active hold; lift it before replacing or deleting the object")
    }

    static func retained(_ path: ObjectPath, until time: Int64) -> Self {
        Self(
            code: .retained,
            message: "\(path) is under a retention policy until \(time / 1_000_000) seconds after 1970"
                + " and can be neither replaced nor deleted before"
        )
    }
}
