// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Reads PNG files of every color type and depth.
package enum PNGDecoder {
    /// Decodes a file to 8 bits a channel; transparent pixels are laid over white, unless their alpha is kept.
    package static func decode(_ bytes: [UInt8], keepsAlpha: Bool = false) throws(ImagingError) -> PixelBuffer {
        let info = try ImageInspector.inspect(bytes)
        guard info.format == .png else { throw .corrupt(.png, detail: "another format's file") }
        try PNGStructure.verify(bytes)
        let channelCount = PixelBuffer.channelCount + (keepsAlpha ? 1 : 0)
        let byteCount = info.pixelWidth * info.pixelHeight * channelCount
        let pixels = try decodePixels(.png, byteCount: byteCount) { buffer, message in
            png_codec_decode(bytes, bytes.count, keepsAlpha ? 1 : 0, buffer.baseAddress, buffer.count, message)
        }
        guard !keepsAlpha else { return PixelBuffer(width: info.pixelWidth, height: info.pixelHeight, rgba: pixels) }
        return PixelBuffer(width: info.pixelWidth, height: info.pixelHeight, bytes: pixels)
    }

    /// Decodes everything, checks every checksum and keeps nothing.
    static func verify(_ bytes: [UInt8]) throws(ImagingError) {
        try PNGStructure.verify(bytes)
        try callCodec(.png) { png_codec_verify(bytes, bytes.count, $0) }
    }
}
#endif

#if canImport(CImageCodecs)
import CImageCodecs

/// Writes PNG files.
package enum PNGEncoder {
    /// Encodes an opaque picture without loss.
    package static func encode(_ pixels: PixelBuffer) throws(ImagingError) -> [UInt8] {
        try encodedOutput(.png) { output, byteCount, message in
            png_codec_encode(pixels.bytes, Int32(pixels.width), Int32(pixels.height), output, byteCount, message)
        }
    }
}
#endif
