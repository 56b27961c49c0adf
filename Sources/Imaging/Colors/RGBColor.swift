// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A color of the screen: sRGB, eight bits a channel.
public struct RGBColor: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Red, 0 to 255.
    public var red: UInt8
    /// Green, 0 to 255.
    public var green: UInt8
    /// Blue, 0 to 255.
    public var blue: UInt8

    /// Creates a color of its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The color as CSS writes it, such as `#ff8000`.
    public var description: String {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// A color by hue, saturation and brightness, each from 0 to 1; the hue of a grey is 0.
public struct HSBColor: Sendable, Hashable {
    /// Where on the circle of colors: 0 red, 1/3 green, 2/3 blue.
    public var hue: Double
    /// From 0, grey, to 1.
    public var saturation: Double
    /// From 0, black, to 1.
    public var brightness: Double

    /// Creates a color.
    public init(hue: Double, saturation: Double, brightness: Double) {
        self.hue = hue
        self.saturation = saturation
        self.brightness = brightness
    }

    /// An equal color.
    public init(_ color: RGBColor) {
        let channels = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let (red, green, blue) = (channels[0], channels[1], channels[2])
        let most = max(red, green, blue)
        let span = most - min(red, green, blue)
        brightness = most
        saturation = most > 0 ? span / most : 0
        guard span > 0 else {
            hue = 0
            return
        }
        let sixth =
            switch most {
            case red: (green - blue) / span
            case green: (blue - red) / span + 2
            default: (red - green) / span + 4
            }
        hue = (sixth < 0 ? sixth + 6 : sixth) / 6
    }
}

extension RGBColor {
    /// The nearest color of the screen.
    public init(_ color: HSBColor) {
        func channel(_ offset: Double) -> UInt8 {
            let position = (offset + color.hue * 6).truncatingRemainder(dividingBy: 6)
            let share = max(0, min(position, 4 - position, 1))
            let value = 255 * color.brightness * (1 - color.saturation * share)
            return value.isNaN ? 0 : UInt8(min(max(0, value), 255).rounded())
        }
        self.init(red: channel(5), green: channel(3), blue: channel(1))
    }

    /// The background for a picture of this color: its hue, hardly saturated and bright.
    ///
    /// Saturation 0.08 and brightness 0.95, after the poster screens of the seed application.
    public var background: RGBColor {
        var color = HSBColor(self)
        color.saturation = 0.08
        color.brightness = 0.95
        return RGBColor(color)
    }
}
