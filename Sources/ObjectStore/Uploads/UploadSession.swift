// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The name of a resumable upload, which clients carry in its address.
package struct UploadID: Hashable, Sendable, CustomStringConvertible {
    let blob: BlobID

    package var description: String { blob.description }

    init(_ blob: BlobID) {
        self.blob = blob
    }

    /// Returns `nil` for a text that names no upload of this store.
    package init?(_ text: String) {
        guard let blob = BlobID(text) else { return nil }
        self.blob = blob
    }
}

/// How far a resumable upload has come.
package enum UploadProgress: Hashable, Sendable {
    /// Bytes may be appended.
    case active(byteCount: Int64)
    /// The bytes have become a version of an object.
    case completed(ObjectPath, generation: Int64, byteCount: Int64)
    /// The client gave it up.
    case cancelled
}
