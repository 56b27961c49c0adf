// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Reads PNG files of every color type and depth.
package enum PNGDecoder {
    /// Decodes a file to 8 bits a channel, and keeps its alpha.
    package static func decode(_ bytes: [UInt8]) throws(ImagingError) -> PixelBuffer {
        let info = try ImageInspector.inspect(bytes)
        guard info.format == .png else { throw .corrupt(.png, detail: "another format's file") }
        try PNGStructure.verify(bytes)
        let byteCount = info.pixelWidth * info.pixelHeight * (PixelBuffer.channelCount + 1)
        let pixels = try decodePixels(.png, byteCount: byteCount) { buffer, message in
            png_codec_decode(bytes, bytes.count, buffer.baseAddress, buffer.count, message)
        }
        return PixelBuffer(width: info.pixelWidth, height: info.pixelHeight, rgba: pixels)
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
