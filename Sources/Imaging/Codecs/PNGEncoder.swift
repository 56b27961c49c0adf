// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
