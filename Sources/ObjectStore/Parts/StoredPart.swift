// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A part of a multipart upload that has arrived.
package struct StoredPart: Hashable, Sendable {
    /// The numbers that parts may have (https://cloud.google.com/storage/quotas#multipart, 2026-11).
    package static let numbers = 1...10_000

    /// Its number, unique in its upload.
    package let number: Int
    /// Its size.
    package let byteCount: Int64
    /// Its checksums.
    package let digest: ObjectDigest
    /// When it arrived, in microseconds since the Unix epoch.
    package let time: Int64
    let blob: BlobID
}

/// A part as the end of an upload names it.
package struct NamedPart: Hashable, Sendable {
    /// Its number.
    package let number: Int
    /// The MD5 in lower-case hexadecimal, without quotes.
    package let entityTag: String

    /// Names a part.
    package init(number: Int, entityTag: String) {
        self.number = number
        self.entityTag = entityTag
    }
}

/// A refusal of the store of parts.
package enum PartStoringError: Error, Hashable, Sendable {
    /// There is no upload of this id for this object.
    case noSuchUpload
    /// The upload has no part of this number with this entity tag.
    case partMissing(Int)
    /// The part came with another key than the upload was begun with, or without any.
    case wrongKey
}
