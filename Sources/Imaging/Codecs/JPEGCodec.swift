// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Reads JPEG files.
package enum JPEGDecoder {
    /// How much smaller than stored a file can be decoded, for little more than the cost of the smaller picture.
    static let scaleDenominators: Set<Int> = [1, 2, 4, 8]

    /// Decodes a file at `1 / scaleDenominator` of its sides, rounded up; a file that is not whole is an error.
    ///
    /// Inks (CMYK, YCCK) are mixed without regard to a profile, as browsers do without one; they are taken to be stored
    /// inverted, as Adobe stores them.
    package static func decode(_ bytes: [UInt8], scaleDenominator: Int = 1) throws(ImagingError) -> PixelBuffer {
        precondition(
            scaleDenominators.contains(scaleDenominator),
            "the scale denominator must be 1, 2, 4 or 8 (is \(scaleDenominator))"
        )
        guard try ImageInspector.inspect(bytes).format == .jpeg else {
            throw .corrupt(.jpeg, detail: "another format's file")
        }
        let (width, height) = try decodedSize(bytes, scaleDenominator: scaleDenominator)
        let pixels = try decodePixels(.jpeg, byteCount: width * height * PixelBuffer.channelCount) { rgb, message in
            jpeg_codec_decode(bytes, bytes.count, Int32(scaleDenominator), rgb.baseAddress, rgb.count, message)
        }
        return PixelBuffer(width: width, height: height, bytes: pixels)
    }

    /// Decodes everything and keeps nothing.
    static func verify(_ bytes: [UInt8]) throws(ImagingError) {
        try callCodec(.jpeg) { jpeg_codec_verify(bytes, bytes.count, $0) }
    }

    private static func decodedSize(
        _ bytes: [UInt8],
        scaleDenominator: Int
    ) throws(ImagingError) -> (width: Int, height: Int) {
        var width: Int32 = 0
        var height: Int32 = 0
        try callCodec(.jpeg) { message in
            jpeg_codec_decoded_size(bytes, bytes.count, Int32(scaleDenominator), &width, &height, message)
        }
        return (Int(width), Int(height))
    }
}
#endif

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
