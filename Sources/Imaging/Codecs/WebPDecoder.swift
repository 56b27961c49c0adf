// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Reads WebP files, lossy and lossless, with and without alpha; animations are refused.
package enum WebPDecoder {
    /// Decodes a file at `1 / scaleDenominator` of its sides, rounded up, and keeps its alpha.
    ///
    /// The whole is decoded whatever the scale; only the result is smaller.
    package static func decode(_ bytes: [UInt8], scaleDenominator: Int = 1) throws(ImagingError) -> PixelBuffer {
        precondition(scaleDenominator > 0, "the scale denominator is not positive (is \(scaleDenominator))")
        let info = try ImageInspector.inspect(bytes)
        guard info.format == .webp else { throw .corrupt(.webp, detail: "another format's file") }
        try WebPStructure.verify(bytes)
        var storedWidth: Int32 = 0
        var storedHeight: Int32 = 0
        try callCodec(.webp) { webp_codec_size(bytes, bytes.count, &storedWidth, &storedHeight, $0) }
        guard Int(storedWidth) == info.pixelWidth, Int(storedHeight) == info.pixelHeight else {
            throw .corrupt(
                .webp,
                detail: "its picture is \(storedWidth)x\(storedHeight), not as large as the file says"
            )
        }
        let width = (info.pixelWidth + scaleDenominator - 1) / scaleDenominator
        let height = (info.pixelHeight + scaleDenominator - 1) / scaleDenominator
        let pixels = try decodePixels(.webp, byteCount: width * height * (PixelBuffer.channelCount + 1)) {
            rgba,
            message in
            webp_codec_decode(
                bytes,
                bytes.count,
                Int32(width),
                Int32(height),
                rgba.baseAddress,
                rgba.count,
                message
            )
        }
        return PixelBuffer(width: width, height: height, rgba: pixels)
    }
}
#endif
