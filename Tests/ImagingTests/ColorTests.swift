// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

@Suite struct ColorTests {
    @Test(
        arguments: [
            (RGBColor(red: 255, green: 0, blue: 0), HSBColor(hue: 0, saturation: 1, brightness: 1)),
            (RGBColor(red: 0, green: 255, blue: 0), HSBColor(hue: 1 / 3, saturation: 1, brightness: 1)),
            (RGBColor(red: 0, green: 0, blue: 255), HSBColor(hue: 2 / 3, saturation: 1, brightness: 1)),
            (RGBColor(red: 255, green: 0, blue: 255), HSBColor(hue: 5 / 6, saturation: 1, brightness: 1)),
            (RGBColor(red: 51, green: 51, blue: 51), HSBColor(hue: 0, saturation: 0, brightness: 0.2)),
            (RGBColor(red: 0, green: 0, blue: 0), HSBColor(hue: 0, saturation: 0, brightness: 0)),
        ]
    )
    func `converts between channels and hue`(rgb: RGBColor, hsb: HSBColor) {
        let converted = HSBColor(rgb)
        #expect(abs(converted.hue - hsb.hue) < 1e-9)
        #expect(abs(converted.saturation - hsb.saturation) < 1e-9)
        #expect(abs(converted.brightness - hsb.brightness) < 1e-9)
        #expect(RGBColor(hsb) == rgb)
    }

    @Test func `comes back from hue as it was`() {
        for red in stride(from: 0, through: 255, by: 15) {
            for green in stride(from: 0, through: 255, by: 17) {
                for blue in stride(from: 0, through: 255, by: 5) {
                    let color = RGBColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
                    #expect(RGBColor(HSBColor(color)) == color)
                }
            }
        }
    }

    @Test(
        arguments: [
            (RGBColor(red: 200, green: 30, blue: 30), "#f2dfdf"), (RGBColor(red: 20, green: 20, blue: 90), "#dfdff2"),
            // A grey has no hue: its background is the red's.
            (RGBColor(red: 90, green: 90, blue: 90), "#f2dfdf"),
        ]
    )
    func `makes a background of the same hue, hardly saturated and bright`(color: RGBColor, background: String) {
        #expect(color.background.description == background)
    }

    /// Stripes of colors, `share` columns of 100 each.
    private func stripes(_ colors: [(RGBColor, share: Int)], alpha: [UInt8]? = nil) -> PixelBuffer {
        let row = colors.flatMap { color, share in
            (0..<share).flatMap { _ in [color.red, color.green, color.blue] }
        }
        return PixelBuffer(
            width: 100,
            height: 20,
            bytes: (0..<20).flatMap { _ in row },
            alpha: alpha.map { alpha in (0..<2_000).map { alpha[$0 % 100] } }
        )
    }

    private static let red = RGBColor(red: 200, green: 16, blue: 24)
    private static let blue = RGBColor(red: 16, green: 40, blue: 200)
    private static let white = RGBColor(red: 255, green: 255, blue: 255)

    @Test func `finds the color that most pixels have`() {
        let picture = stripes([(Self.red, 100)])
        // A plane of the histogram is eight values wide; its color is the middle one.
        #expect(RGBColor.dominant(of: picture, every: 1) == RGBColor(red: 204, green: 20, blue: 28))
    }

    @Test func `leaves out paper, and what is transparent`() {
        #expect(
            RGBColor.dominant(of: stripes([(Self.white, 90), (Self.blue, 10)]), every: 1)
                == RGBColor(red: 20, green: 44, blue: 204)
        )
        let alpha = (0..<100).map { UInt8($0 < 90 ? 124 : 125) }
        #expect(
            RGBColor.dominant(of: stripes([(Self.red, 90), (Self.blue, 10)], alpha: alpha), every: 1)
                == RGBColor(red: 20, green: 44, blue: 204)
        )
    }

    @Test func `takes a white picture for white`() {
        #expect(RGBColor.dominant(of: stripes([(Self.white, 100)]), every: 1) == Self.white)
    }

    @Test(arguments: [ColorSampling.everyTenthPixel, .reducedSize])
    func `finds the color of a file`(sampling: ColorSampling) throws {
        let file = try JPEGEncoder.encode(stripes([(Self.red, 100)]), quality: 95)
        let color = try RGBColor.dominant(ofEncoded: file, sampling: sampling)
        #expect(abs(Int(color.red) - 204) <= 8 && abs(Int(color.green) - 20) <= 8)
    }

    @Test func `says that it cannot decode what it cannot`() {
        #expect(throws: ImagingError.self) { try RGBColor.dominant(ofEncoded: Array("GIF89a".utf8)) }
        #expect(throws: ImagingError.self) { try RGBColor.dominant(ofEncoded: []) }
    }
}
