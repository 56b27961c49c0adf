// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which pixels of an image its dominant color is found from.
public enum ColorSampling: Sendable, Hashable {
    /// Every tenth pixel at full size: the same color as Color Thief finds, at a twentieth of its time.
    case everyTenthPixel
    /// All pixels of the least size with 10,000 of them that the codec gives: for a large JPEG half the time, and a sixtieth
    /// of the memory. Where two colors are nearly as frequent it may find the other.
    case reducedSize
}

extension RGBColor {
    /// The colors of a palette of which the first is dominant.
    private static let paletteColorCount = 5
    private static let reducedPixelCountMin = 10_000

    /// The dominant color of an encoded image, JPEG, PNG, WebP, HEIC or AVIF, by median cut.
    ///
    /// Transparent and white pixels do not count, unless there are no others. Blocks while it works: call it off the main
    /// thread.
    public static func dominant(
        ofEncoded bytes: [UInt8],
        sampling: ColorSampling = .everyTenthPixel
    ) throws(ImagingError) -> RGBColor {
        switch sampling {
        case .everyTenthPixel: dominant(of: try ReducedImage.decodeAsStored(bytes, pixelCountMin: .max), every: 10)
        case .reducedSize:
            dominant(of: try ReducedImage.decodeAsStored(bytes, pixelCountMin: reducedPixelCountMin), every: 1)
        }
    }

    /// The dominant color of every `step`th pixel.
    package static func dominant(of pixels: PixelBuffer, every step: Int) -> RGBColor {
        let palette = MedianCut(ColorHistogram(pixels, every: step)).palette(colorCount: paletteColorCount)
        return palette.first ?? RGBColor(red: 255, green: 255, blue: 255)
    }
}
