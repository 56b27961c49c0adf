// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A color in linear light, in which colors can be averaged; amplitudes may be negative.
struct LinearColor: Hashable, Sendable {
    var red = 0.0
    var green = 0.0
    var blue = 0.0

    static func += (left: inout Self, right: Self) {
        left.red += right.red
        left.green += right.green
        left.blue += right.blue
    }

    static func * (color: Self, factor: Double) -> Self {
        Self(red: color.red * factor, green: color.green * factor, blue: color.blue * factor)
    }

    var channels: [Double] { [red, green, blue] }

    /// The linear light of each value of an sRGB channel (IEC 61966-2-1).
    static let ofSample: [Double] = (0...255).map { sample in
        let value = Double(sample) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    static func sample(of light: Double) -> UInt8 {
        let light = max(0, min(1, light))
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8(value * 255 + 0.5)
    }
}

extension RGBColor {
    init(_ color: LinearColor) {
        self.init(
            red: LinearColor.sample(of: color.red),
            green: LinearColor.sample(of: color.green),
            blue: LinearColor.sample(of: color.blue)
        )
    }
}

/// A picture in linear light, made small by leaving out pixels.
struct LinearPicture {
    let width: Int
    let height: Int
    private let colors: [LinearColor]

    init(_ pixels: PixelBuffer, sideMax: Int) {
        let step = max(1, (max(pixels.width, pixels.height) + sideMax - 1) / sideMax)
        width = (pixels.width + step - 1) / step
        height = (pixels.height + step - 1) / step
        var colors: [LinearColor] = []
        colors.reserveCapacity(width * height)
        for y in stride(from: 0, to: pixels.height, by: step) {
            for x in stride(from: 0, to: pixels.width, by: step) {
                colors.append(Self.color(of: pixels, at: y * pixels.width + x))
            }
        }
        self.colors = colors
    }

    /// A pixel's color, laid over white as far as it is transparent.
    private static func color(of pixels: PixelBuffer, at pixel: Int) -> LinearColor {
        let start = pixel * PixelBuffer.channelCount
        let light = pixels.bytes[start..<start + 3].map { LinearColor.ofSample[Int($0)] }
        var color = LinearColor(red: light[0], green: light[1], blue: light[2])
        guard let alpha = pixels.alpha?[pixel] else { return color }
        let share = Double(alpha) / 255
        color = color * share
        color += LinearColor(red: 1, green: 1, blue: 1) * (1 - share)
        return color
    }

    /// How much there is of a cosine wave.
    func amplitude(horizontal: Int, vertical: Int) -> LinearColor {
        let columns = (0..<width).map { BlurHash.wave(horizontal, at: $0, of: width) }
        var sum = LinearColor()
        for y in 0..<height {
            let row = BlurHash.wave(vertical, at: y, of: height)
            for x in 0..<width { sum += colors[y * width + x] * (row * columns[x]) }
        }
        return sum * ((horizontal == 0 && vertical == 0 ? 1 : 2) / Double(width * height))
    }
}
