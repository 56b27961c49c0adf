// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Writes baseline JPEG files.
package enum JPEGEncoder {
    /// libjpeg's scale of qualities; 75 is its default.
    package static let qualities = 1...100

    /// Encodes a picture; the bytes depend on the version of libjpeg, the call is otherwise pure.
    package static func encode(
        _ pixels: PixelBuffer,
        quality: Int,
        chromaSubsampling: ChromaSubsampling = .yuv420
    ) throws(ImagingError) -> [UInt8] {
        precondition(qualities.contains(quality), "quality must be in \(qualities) (is \(quality))")
        guard max(pixels.width, pixels.height) <= ImageLimits.jpegSideMax else {
            throw .sideTooLong(width: pixels.width, height: pixels.height)
        }
        return try encodedOutput(.jpeg) { output, byteCount, message in
            jpeg_codec_encode(
                pixels.bytes,
                Int32(pixels.width),
                Int32(pixels.height),
                Int32(quality),
                chromaSubsampling.horizontal,
                chromaSubsampling.vertical,
                output,
                byteCount,
                message
            )
        }
    }
}
#endif
