// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Imaging

/// A smaller copy of each post's thumbnail, kept beside it as the Firebase extension Resize Images does (0.3.3, 2026-04): of
/// `owner/feed/0` one that fits into 200x200 is `owner/feed/0_200x200`.
package struct SeedVariant: Sendable, Hashable {
    /// The lengths of a side that can be asked for.
    package static let sides = 1...10_000

    /// The greatest width in pixels.
    package let pixelWidth: Int
    /// The greatest height in pixels.
    package let pixelHeight: Int

    /// Creates a variant of sides in ``sides``.
    package init(pixelWidth: Int, pixelHeight: Int) {
        precondition(
            Self.sides.contains(pixelWidth) && Self.sides.contains(pixelHeight),
            "sides must be in \(Self.sides) (are \(pixelWidth) and \(pixelHeight))"
        )
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
    }

    /// The name of the copy of an object whose name has no extension.
    package func name(of original: String) -> String { "\(original)_\(pixelWidth)x\(pixelHeight)" }

    /// Makes the copy, a JPEG.
    package func image(of original: [UInt8]) throws(ImagingError) -> SeedImage {
        let (bytes, pixels) = try ResizedImage.jpeg(of: original, fitting: pixelWidth, by: pixelHeight)
        return SeedImage(
            bytes: bytes,
            contentType: ImageFormat.jpeg.contentType,
            pixelWidth: pixels.width,
            pixelHeight: pixels.height
        )
    }
}
