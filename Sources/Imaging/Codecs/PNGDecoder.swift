// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import CImageCodecs

/// Reads PNG files of every colour type and depth.
package enum PNGDecoder {
    /// Decodes a file to 8 bits a channel; transparent pixels are laid over white.
    package static func decode(_ bytes: [UInt8]) throws(ImagingError) -> PixelBuffer {
        let info = try ImageInspector.inspect(bytes)
        guard info.format == .png else { throw .corrupt(.png, "another format's file") }
        try PNGStructure.verify(bytes)
        let byteCount = info.pixelWidth * info.pixelHeight * PixelBuffer.channelCount
        let pixels = try decodePixels(.png, byteCount: byteCount) { rgb, message in
            png_codec_decode(bytes, bytes.count, rgb.baseAddress, rgb.count, message)
        }
        return PixelBuffer(width: info.pixelWidth, height: info.pixelHeight, bytes: pixels)
    }

    /// Decodes everything, checks every checksum and keeps nothing.
    static func verify(_ bytes: [UInt8]) throws(ImagingError) {
        try PNGStructure.verify(bytes)
        try callCodec(.png) { png_codec_verify(bytes, bytes.count, $0) }
    }
}
