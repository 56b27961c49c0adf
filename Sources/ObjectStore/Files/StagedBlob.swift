// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Bytes that are among the blobs and durable, but that no row names yet.
struct StagedBlob: Sendable {
    let id: BlobID
    let byteCount: Int64
    let digest: ObjectDigest
}
