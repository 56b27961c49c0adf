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

#if canImport(CImageCodecs)
import CImageCodecs

/// Calls a C codec and turns its status and message into an error.
func callCodec(
    _ format: ImageFormat,
    _ call: (UnsafeMutablePointer<CChar>) -> image_codec_status
) throws(ImagingError) {
    var message = [CChar](repeating: 0, count: Int(IMAGE_CODEC_MESSAGE_SIZE))
    let status = call(&message)
    guard status != IMAGE_CODEC_OK else { return }
    let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    switch status {
    case IMAGE_CODEC_TRUNCATED: throw .truncated(format, detail: text)
    case IMAGE_CODEC_UNSUPPORTED: throw .unsupported(format, detail: text)
    case IMAGE_CODEC_OUT_OF_MEMORY: throw .outOfMemory(format)
    default: throw .corrupt(format, detail: text)
    }
}
#endif

/// How many luma samples share one chroma sample in a JPEG.
package enum ChromaSubsampling: Sendable, Hashable, CaseIterable {
    /// One chroma sample for each pixel.
    case yuv444
    /// One chroma sample for two neighbours in a row.
    case yuv422
    /// One chroma sample for a square of four, as phones write.
    case yuv420

    var horizontal: Int32 { self == .yuv444 ? 1 : 2 }
    var vertical: Int32 { self == .yuv420 ? 2 : 1 }
}
