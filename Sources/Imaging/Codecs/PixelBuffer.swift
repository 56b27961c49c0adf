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

    /// Wraps samples; their number must fit the sides.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0, "a picture has pixels (is \(width)x\(height))")
        precondition(bytes.count == width * height * Self.channelCount, "\(bytes.count) bytes for \(width)x\(height)")
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Bytes of one row.
    package var rowByteCount: Int { width * Self.channelCount }
}
