// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The header of an image file.
package struct ImageInfo: Sendable, Hashable {
    /// The file's format, from its bytes; names and declared types are not trusted.
    package let format: ImageFormat
    /// The width as stored; an orientation in EXIF is not applied.
    package let pixelWidth: Int
    /// The height as stored; an orientation in EXIF is not applied.
    package let pixelHeight: Int

    /// The media type of the format, for example `image/jpeg`.
    package var contentType: String { format.contentType }

    /// Refuses pictures without pixels and those beyond `ImageLimits.pixelCountMax`.
    init(format: ImageFormat, pixelWidth: Int, pixelHeight: Int) throws(ImagingError) {
        guard pixelWidth > 0, pixelHeight > 0 else {
            throw .corrupt(format, "its size is \(pixelWidth)x\(pixelHeight)")
        }
        // A quotient, for the product of two 32-bit sides may overflow on a small machine.
        guard pixelWidth <= ImageLimits.pixelCountMax / pixelHeight else {
            throw .tooLarge(width: pixelWidth, height: pixelHeight)
        }
        self.format = format
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
    }
}
