// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(ImageIO)
import CoreGraphics
import Foundation
import ImageIO
#endif

/// Decodes images smaller than they are stored; a JPEG for little more than the cost of the smaller picture.
enum ReducedImage {
    /// Decodes at the least size with at least this many pixels that the codec gives; PNG only knows its whole size.
    ///
    /// WebP, HEIC and AVIF are decoded whole and kept at the lesser size. The picture is upright, whatever the orientation in
    /// the file.
    package static func decode(_ bytes: [UInt8], pixelCountMin: Int) throws(ImagingError) -> PixelBuffer {
        let info = try ImageInspector.inspect(bytes)
        return try decodeAsStored(bytes, info: info, pixelCountMin: pixelCountMin).upright(from: info.orientation)
    }

    /// Decodes without turning the picture: for what counts its pixels.
    static func decodeAsStored(_ bytes: [UInt8], pixelCountMin: Int) throws(ImagingError) -> PixelBuffer {
        try decodeAsStored(bytes, info: try ImageInspector.inspect(bytes), pixelCountMin: pixelCountMin)
    }

    private static func decodeAsStored(
        _ bytes: [UInt8],
        info: ImageInfo,
        pixelCountMin: Int
    ) throws(ImagingError) -> PixelBuffer {
        let pixelCount = info.pixelWidth * info.pixelHeight
        let denominator = [8, 4, 2].first { pixelCount / ($0 * $0) >= pixelCountMin } ?? 1
        #if canImport(CImageCodecs)
        switch info.format {
        case .jpeg: return try JPEGDecoder.decode(bytes, scaleDenominator: denominator)
        case .png: return try PNGDecoder.decode(bytes)
        case .webp: return try WebPDecoder.decode(bytes, scaleDenominator: denominator)
        case .heic, .avif: return try HEIFDecoder.decode(bytes, scaleDenominator: denominator)
        case .gif: throw .unsupported(info.format, detail: "there is no decoder of it here")
        }
        #else
        return try SystemDecoder.decode(bytes, info: info, scaleDenominator: denominator)
        #endif
    }
}

#if canImport(ImageIO)
/// Apple's decoders, which know all formats of the system.
enum SystemDecoder {
    static func decode(
        _ bytes: [UInt8],
        info: ImageInfo,
        scaleDenominator: Int
    ) throws(ImagingError) -> PixelBuffer {
        let longestSide = max(info.pixelWidth, info.pixelHeight) / scaleDenominator
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceThumbnailMaxPixelSize: longestSide,
            // Of HEIC and AVIF, turning is a part of decoding; EXIF's orientation is applied by the caller.
            kCGImageSourceCreateThumbnailWithTransform: [.heic, .avif].contains(info.format),
        ]
        guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil),
            let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
        else { throw .corrupt(info.format, detail: "the system cannot decode it") }
        return try pixels(of: image, in: info.format)
    }

    private static func pixels(of image: CGImage, in format: ImageFormat) throws(ImagingError) -> PixelBuffer {
        let (width, height) = (image.width, image.height)
        var rgba = [UInt8](repeating: 0, count: width * height * 4)
        let isDrawn = rgba.withUnsafeMutableBytes { buffer in
            let context = CGContext(
                data: buffer.baseAddress,
                width: width,
                height: height,
                bitsPerComponent: 8,
                bytesPerRow: width * 4,
                space: CGColorSpace(name: CGColorSpace.sRGB) ?? CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue
            )
            context?.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
            return context != nil
        }
        guard isDrawn else { throw .outOfMemory(format) }
        for pixel in stride(from: 0, to: rgba.count, by: 4) where rgba[pixel + 3] < .max {
            for sample in pixel..<pixel + 3 { rgba[sample] = unpremultiplied(rgba[sample], alpha: rgba[pixel + 3]) }
        }
        return PixelBuffer(width: width, height: height, rgba: rgba)
    }

    private static func unpremultiplied(_ sample: UInt8, alpha: UInt8) -> UInt8 {
        alpha == 0 ? 0 : UInt8(min(255, Int(sample) * 255 / Int(alpha)))
    }
}
#endif
