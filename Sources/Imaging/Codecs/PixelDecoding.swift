// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(CImageCodecs)
import CImageCodecs

/// Lets a C codec fill a new array of samples.
func decodePixels(
    _ format: ImageFormat,
    byteCount: Int,
    _ decode: (UnsafeMutableBufferPointer<UInt8>, UnsafeMutablePointer<CChar>) -> image_codec_status
) throws(ImagingError) -> [UInt8] {
    // Zeroed rather than left uninitialised: a codec that stops halfway must not show old memory.
    var pixels = [UInt8](repeating: 0, count: byteCount)
    try callCodec(format) { message in
        pixels.withUnsafeMutableBufferPointer { decode($0, message) }
    }
    return pixels
}
#endif
