// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
    case IMAGE_CODEC_TRUNCATED: throw .truncated(format, text)
    case IMAGE_CODEC_UNSUPPORTED: throw .unsupported(format, text)
    case IMAGE_CODEC_OUT_OF_MEMORY: throw .outOfMemory(format)
    default: throw .corrupt(format, text)
    }
}
#endif
