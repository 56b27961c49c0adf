// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging

/// Pictures that tests encode.
enum TestPicture {
    /// A gradient in all three channels.
    static func pixels(width: Int, height: Int) -> PixelBuffer {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                bytes += [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 255 / (width + height))]
            }
        }
        return PixelBuffer(width: width, height: height, bytes: bytes)
    }

    static func jpeg(width: Int, height: Int) throws(ImagingError) -> [UInt8] {
        try JPEGEncoder.encode(pixels(width: width, height: height), quality: 90)
    }
}
