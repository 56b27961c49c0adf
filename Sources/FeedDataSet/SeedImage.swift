// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One image of a post, ready to be uploaded.
package struct SeedImage: Sendable, Hashable {
    /// The file.
    package let bytes: [UInt8]
    /// The media type by the file's content, for example `image/jpeg`.
    package let contentType: String
    /// The width as stored.
    package let pixelWidth: Int
    /// The height as stored.
    package let pixelHeight: Int
}
