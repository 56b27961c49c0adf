// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A photo as a JPEG file.
package struct RenderedPhoto: Sendable, Hashable {
    /// The file.
    package let bytes: [UInt8]
    /// The picture's width.
    package let pixelWidth: Int
    /// The picture's height.
    package let pixelHeight: Int
    /// The quality that met the wanted byte count, on libjpeg's scale.
    package let quality: Int

    func distance(to byteCount: Int) -> Int { abs(bytes.count - byteCount) }
}
