// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A picture in a few dozen characters, to be shown until the picture comes: its first cosine waves.
///
/// Three by three waves take 22 characters, four by three 28: short enough for the post's document. The text is that of
/// BlurHash (Wolt, https://github.com/woltapp/blurhash, Algorithm.md).
public struct BlurHash: Sendable, Hashable {
    /// How many waves there may be along a side.
    public static let waveCounts = 1...9
    /// More pixels than this along the longer side add nothing.
    private static let sampledSideMax = 64

    /// The waves along the width.
    public let horizontalCount: Int
    /// The waves along the height.
    public let verticalCount: Int
    /// The waves' amplitudes in linear light, row by row; the first is the mean color.
    let waves: [LinearColor]

    /// Hashes an encoded image, JPEG or PNG; blocks while it works.
    public init(
        ofEncoded bytes: [UInt8],
        horizontalCount: Int = 4,
        verticalCount: Int = 3
    ) throws(ImagingError) {
        let pixels = try ReducedImage.decode(bytes, pixelCountMin: Self.sampledSideMax * Self.sampledSideMax)
        self.init(of: pixels, horizontalCount: horizontalCount, verticalCount: verticalCount)
    }

    /// Hashes a picture.
    package init(of pixels: PixelBuffer, horizontalCount: Int, verticalCount: Int) {
        precondition(
            Self.waveCounts.contains(horizontalCount) && Self.waveCounts.contains(verticalCount),
            "1 to 9 waves along each side (not \(horizontalCount)x\(verticalCount))"
        )
        let sample = LinearPicture(pixels, sideMax: Self.sampledSideMax)
        self.horizontalCount = horizontalCount
        self.verticalCount = verticalCount
        waves = (0..<verticalCount).flatMap { vertical in
            (0..<horizontalCount).map { sample.amplitude(horizontal: $0, vertical: vertical) }
        }
    }

    init(horizontalCount: Int, verticalCount: Int, waves: [LinearColor]) {
        self.horizontalCount = horizontalCount
        self.verticalCount = verticalCount
        self.waves = waves
    }

    /// The mean color of the picture.
    public var meanColor: RGBColor { RGBColor(waves[0]) }

    /// The picture at a size, blurred as the hash is: rows from the top, red, green and blue for each pixel.
    ///
    /// A `punch` above 1 gives more contrast.
    public func pixels(width: Int, height: Int, punch: Double = 1) -> [UInt8] {
        let columns = (0..<width).map { x in (0..<horizontalCount).map { Self.wave($0, at: x, of: width) } }
        let rows = (0..<height).map { y in (0..<verticalCount).map { Self.wave($0, at: y, of: height) } }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3)
        for row in rows {
            for column in columns {
                var color = LinearColor()
                for (index, wave) in waves.enumerated() {
                    let basis = row[index / horizontalCount] * column[index % horizontalCount]
                    color += wave * (index == 0 ? basis : basis * punch)
                }
                let pixel = RGBColor(color)
                bytes += [pixel.red, pixel.green, pixel.blue]
            }
        }
        return bytes
    }

    static func wave(_ number: Int, at position: Int, of side: Int) -> Double {
        cos(Double.pi * Double(number) * Double(position) / Double(side))
    }
}
