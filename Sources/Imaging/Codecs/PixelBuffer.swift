// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A picture in memory: rows from the top, three bytes a pixel, red, green, blue, without padding.
package struct PixelBuffer: Sendable, Hashable {
    /// Bytes of one pixel.
    package static let channelCount = 3

    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// All samples, `width * height * channelCount` of them.
    package let bytes: [UInt8]
    /// How opaque each pixel is, where that is known; `nil` for an opaque picture.
    package let alpha: [UInt8]?

    /// Wraps samples; their number must fit the sides.
    package init(width: Int, height: Int, bytes: [UInt8], alpha: [UInt8]? = nil) {
        precondition(width > 0 && height > 0, "a picture has pixels (is \(width)x\(height))")
        precondition(bytes.count == width * height * Self.channelCount, "\(bytes.count) bytes for \(width)x\(height)")
        self.width = width
        self.height = height
        precondition(alpha.map { $0.count == width * height } ?? true, "an alpha for each pixel")
        self.bytes = bytes
        self.alpha = alpha
    }

    /// Takes samples apart that have an alpha after their three channels.
    package init(width: Int, height: Int, rgba: [UInt8]) {
        let pixelCount = width * height
        precondition(rgba.count == pixelCount * (Self.channelCount + 1), "\(rgba.count) bytes for \(width)x\(height)")
        var isOpaque = true
        var alpha: [UInt8] = []
        // By hand and unchecked, for there may be a hundred million of them.
        let bytes = [UInt8](unsafeUninitializedCapacity: pixelCount * Self.channelCount) { bytes, byteCount in
            alpha = [UInt8](unsafeUninitializedCapacity: pixelCount) { alpha, alphaCount in
                rgba.withUnsafeBufferPointer { rgba in
                    for pixel in 0..<pixelCount {
                        bytes[pixel * 3] = rgba[pixel * 4]
                        bytes[pixel * 3 + 1] = rgba[pixel * 4 + 1]
                        bytes[pixel * 3 + 2] = rgba[pixel * 4 + 2]
                        alpha[pixel] = rgba[pixel * 4 + 3]
                        isOpaque = isOpaque && rgba[pixel * 4 + 3] == .max
                    }
                }
                alphaCount = pixelCount
            }
            byteCount = pixelCount * Self.channelCount
        }
        self.init(width: width, height: height, bytes: bytes, alpha: isOpaque ? nil : alpha)
    }

    /// Bytes of one row.
    package var rowByteCount: Int { width * Self.channelCount }
}

#if canImport(CImageCodecs)
import CImageCodecs

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Takes over the file that a C codec allocates.
func encodedOutput(
    _ format: ImageFormat,
    _ encode: (
        UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<CChar>
    ) -> image_codec_status
) throws(ImagingError) -> [UInt8] {
    var output: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    try callCodec(format) { encode(&output, &byteCount, $0) }
    defer { free(output) }
    return Array(UnsafeBufferPointer(start: output, count: byteCount))
}
#endif
