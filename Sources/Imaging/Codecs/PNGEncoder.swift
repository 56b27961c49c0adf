// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Writes PNG files.
package enum PNGEncoder {
    /// Encodes an opaque picture without loss.
    package static func encode(_ pixels: PixelBuffer) throws(ImagingError) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        var outputByteCount = 0
        try callCodec(.png) { message in
            png_codec_encode(
                pixels.bytes,
                Int32(pixels.width),
                Int32(pixels.height),
                &output,
                &outputByteCount,
                message
            )
        }
        defer { free(output) }
        return Array(UnsafeBufferPointer(start: output, count: outputByteCount))
    }
}
#endif
