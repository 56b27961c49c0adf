// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How many pixels have a color, of which the five highest bits of each channel count.
struct ColorHistogram {
    static let significantBits = 5
    static let planeCount = 1 << significantBits
    /// The offset of a channel.
    static let shift = 8 - significantBits
    /// Pixels less opaque than this do not count.
    private static let alphaMin: UInt8 = 125
    /// Pixels all of whose channels are above this are paper and do not count.
    private static let whiteAbove: UInt8 = 250

    private(set) var counts = [Int](repeating: 0, count: planeCount * planeCount * planeCount)
    private(set) var total = 0

    /// Counts every `step`th pixel of a picture, from its first.
    init(_ pixels: PixelBuffer, every step: Int) {
        let pixelCount = pixels.width * pixels.height
        pixels.bytes.withUnsafeBufferPointer { bytes in
            for pixel in stride(from: 0, to: pixelCount, by: step) {
                let (red, green, blue) = (bytes[pixel * 3], bytes[pixel * 3 + 1], bytes[pixel * 3 + 2])
                if red > Self.whiteAbove && green > Self.whiteAbove && blue > Self.whiteAbove { continue }
                if let alpha = pixels.alpha, alpha[pixel] < Self.alphaMin { continue }
                counts[Self.index(Int(red) >> Self.shift, Int(green) >> Self.shift, Int(blue) >> Self.shift)] += 1
                total += 1
            }
        }
    }

    subscript(red: Int, green: Int, blue: Int) -> Int { counts[Self.index(red, green, blue)] }

    private static func index(_ red: Int, _ green: Int, _ blue: Int) -> Int {
        (red << (2 * significantBits)) + (green << significantBits) + blue
    }
}
