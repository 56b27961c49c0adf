// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(ImageIO)
public import CoreGraphics
import ImageIO
#endif

/// An image decoded for the screen, upright and at the size at which it is shown.
///
/// On Apple's systems ImageIO decodes, and the image is a `CGImage`; on Linux the codecs of this library do, and transparent pixels
/// are laid over white.
public struct DecodedImage: @unchecked Sendable {
    // Unchecked because a CGImage never changes, which its type does not say.

    /// The width in pixels.
    public let pixelWidth: Int
    /// The height in pixels.
    public let pixelHeight: Int

    #if canImport(ImageIO)
    /// The image for a layer or a view.
    public let image: CGImage
    #else
    /// The samples, red, green and blue of each pixel, row by row from the top.
    public let rgb: [UInt8]
    #endif

    /// The bytes that the image takes in memory: four for each pixel on Apple's systems, three here.
    public var byteCount: Int {
        #if canImport(ImageIO)
        image.bytesPerRow * image.height
        #else
        rgb.count
        #endif
    }

    /// Decodes at the least size that covers a box of pixels, or the image's own where that is less.
    ///
    /// Throws ``ImagingError`` for bytes that cannot be decoded here.
    public init(_ data: Data, covering width: Int, by height: Int) throws(ImagingError) {
        precondition(width > 0 && height > 0, "a box has pixels (not \(width)x\(height))")
        let bytes = [UInt8](data)
        let info = try ImageInspector.inspect(bytes)
        let size = Self.covering(info.uprightWidth, height: info.uprightHeight, box: (width, height))
        #if canImport(ImageIO)
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceThumbnailMaxPixelSize: max(size.width, size.height),
            kCGImageSourceCreateThumbnailWithTransform: true, kCGImageSourceShouldCacheImmediately: true,
        ]
        guard let source = CGImageSourceCreateWithData(data as CFData, nil),
            let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
        else { throw .corrupt(info.format, detail: "the system cannot decode it") }
        (self.image, pixelWidth, pixelHeight) = (image, image.width, image.height)
        #else
        let isOnItsSide = info.orientation > 4
        let pixels = try ResizedImage.pixels(
            of: bytes,
            info: info,
            width: isOnItsSide ? size.height : size.width,
            height: isOnItsSide ? size.width : size.height
        )
        (rgb, pixelWidth, pixelHeight) = (pixels.bytes, pixels.width, pixels.height)
        #endif
    }

    /// The sides of a picture that covers a box, rounded up to whole pixels.
    static func covering(_ width: Int, height: Int, box: (width: Int, height: Int)) -> (width: Int, height: Int) {
        guard width > box.width, height > box.height else { return (width, height) }
        // The side that is shorter by the box's measure is the box's.
        if width * box.height <= height * box.width { return (box.width, (height * box.width + width - 1) / width) }
        return ((width * box.height + height - 1) / height, box.height)
    }
}
