// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Reads the primary picture of HEIC and AVIF files, cut and turned as it is to be seen.
package enum HEIFDecoder {
    /// Decodes a file at `1 / scaleDenominator` of its sides, rounded up, and keeps its alpha.
    ///
    /// The whole is decoded whatever the scale; only the result is smaller.
    package static func decode(_ bytes: [UInt8], scaleDenominator: Int = 1) throws(ImagingError) -> PixelBuffer {
        precondition(scaleDenominator > 0, "the scale denominator is not positive (is \(scaleDenominator))")
        let info = try ImageInspector.inspect(bytes)
        guard [.heic, .avif].contains(info.format) else { throw .corrupt(.heic, detail: "another format's file") }
        try CodedPictures(bytes, format: info.format).checkSizes()
        var alphaFlag: Int32 = 0
        try callCodec(info.format) { heif_codec_has_alpha(bytes, bytes.count, &alphaFlag, $0) }
        let hasAlpha = alphaFlag != 0
        let channelCount = PixelBuffer.channelCount + (hasAlpha ? 1 : 0)
        let (width, height) = (info.pixelWidth, info.pixelHeight)
        let pixels = try decodePixels(info.format, byteCount: width * height * channelCount) { pixels, message in
            heif_codec_decode(
                bytes,
                bytes.count,
                Int32(width),
                Int32(height),
                hasAlpha ? 1 : 0,
                pixels.baseAddress,
                message
            )
        }
        let picture =
            hasAlpha
            ? PixelBuffer(width: width, height: height, rgba: pixels)
            : PixelBuffer(width: width, height: height, bytes: pixels)
        return try picture.reduced(
            to: (width + scaleDenominator - 1) / scaleDenominator,
            height: (height + scaleDenominator - 1) / scaleDenominator,
            format: info.format
        )
    }
}
#endif
