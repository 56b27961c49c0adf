// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
/// Makes smaller copies of images, as a server keeps them beside the originals.
package enum ResizedImage {
    /// The quality of the copies, on libjpeg's scale; that of Resize Images by default (0.3.3, 2026-04: sharp's
    /// default).
    package static let quality = 80

    /// Encodes a copy as JPEG that keeps its proportions and fits into a box; one that fits already keeps its size.
    ///
    /// Transparent pixels are laid over white. The copy is upright, whatever the orientation in the file, as those of Resize
    /// Images are (0.3.3, 2026-04: sharp's `rotate()`).
    package static func jpeg(
        of bytes: [UInt8],
        fitting width: Int,
        by height: Int
    ) throws(ImagingError) -> (bytes: [UInt8], pixels: PixelBuffer) {
        let info = try ImageInspector.inspect(bytes)
        // The box lies as the stored pixels do.
        let (boxWidth, boxHeight) = info.orientation > 4 ? (height, width) : (width, height)
        let size = fitted(info.pixelWidth, height: info.pixelHeight, into: boxWidth, boxHeight: boxHeight)
        let pixels = try pixels(of: bytes, info: info, width: size.width, height: size.height)
        return (try JPEGEncoder.encode(pixels, quality: quality), pixels)
    }

    /// Decodes at a size, which is that of the stored pixels or less; the picture is upright, transparent pixels are white.
    static func pixels(
        of bytes: [UInt8],
        info: ImageInfo,
        width: Int,
        height: Int
    ) throws(ImagingError) -> PixelBuffer {
        let decoded = try decoded(bytes, format: info.format, pixelWidth: info.pixelWidth, fittedWidth: width)
        // Rounding up, a reduced picture may be lower by a pixel than it is to be: no smaller than it is.
        return try decoded.reduced(
            to: min(width, decoded.width),
            height: min(height, decoded.height),
            format: info.format
        ).upright(from: info.orientation)
    }

    /// The sides of a picture in a box, rounded to the nearest pixel.
    static func fitted(_ width: Int, height: Int, into boxWidth: Int, boxHeight: Int) -> (width: Int, height: Int) {
        guard width > boxWidth || height > boxHeight else { return (width, height) }
        // The side that is longer by the box's measure is the box's.
        if width * boxHeight >= height * boxWidth {
            return (boxWidth, max(1, (2 * height * boxWidth + width) / (2 * width)))
        }
        return (max(1, (2 * width * boxHeight + height) / (2 * height)), boxHeight)
    }

    private static func decoded(
        _ bytes: [UInt8],
        format: ImageFormat,
        pixelWidth: Int,
        fittedWidth: Int
    ) throws(ImagingError) -> PixelBuffer {
        switch format {
        case .jpeg:
            let denominator = [8, 4, 2].first { pixelWidth / $0 >= fittedWidth } ?? 1
            return try JPEGDecoder.decode(bytes, scaleDenominator: denominator)
        case .png: return try PNGDecoder.decode(bytes).overWhite
        case .webp: return try WebPDecoder.decode(bytes).overWhite
        case .heic, .avif: return try HEIFDecoder.decode(bytes).overWhite
        case .gif: throw .unsupported(.gif, detail: "there is no decoder of it here")
        }
    }
}

extension PixelBuffer {
    /// The picture as it looks on white paper.
    fileprivate var overWhite: PixelBuffer {
        guard let alpha else { return self }
        var bytes = bytes
        for (pixel, opacity) in alpha.enumerated() where opacity < .max {
            for sample in pixel * Self.channelCount..<(pixel + 1) * Self.channelCount {
                let (color, share) = (Int(bytes[sample]), Int(opacity))
                bytes[sample] = UInt8((color * share + 255 * (255 - share) + 127) / 255)
            }
        }
        return PixelBuffer(width: width, height: height, bytes: bytes)
    }
}
#endif
