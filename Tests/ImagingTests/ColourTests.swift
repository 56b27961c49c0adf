// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

@Suite struct ColourTests {
    @Test(
        arguments: [
            (RGBColour(red: 255, green: 0, blue: 0), HSBColour(hue: 0, saturation: 1, brightness: 1)),
            (RGBColour(red: 0, green: 255, blue: 0), HSBColour(hue: 1 / 3, saturation: 1, brightness: 1)),
            (RGBColour(red: 0, green: 0, blue: 255), HSBColour(hue: 2 / 3, saturation: 1, brightness: 1)),
            (RGBColour(red: 255, green: 0, blue: 255), HSBColour(hue: 5 / 6, saturation: 1, brightness: 1)),
            (RGBColour(red: 51, green: 51, blue: 51), HSBColour(hue: 0, saturation: 0, brightness: 0.2)),
            (RGBColour(red: 0, green: 0, blue: 0), HSBColour(hue: 0, saturation: 0, brightness: 0)),
        ]
    )
    func `converts between channels and hue`(rgb: RGBColour, hsb: HSBColour) {
        let converted = HSBColour(rgb)
        #expect(abs(converted.hue - hsb.hue) < 1e-9)
        #expect(abs(converted.saturation - hsb.saturation) < 1e-9)
        #expect(abs(converted.brightness - hsb.brightness) < 1e-9)
        #expect(RGBColour(hsb) == rgb)
    }

    @Test func `comes back from hue as it was`() {
        for red in stride(from: 0, through: 255, by: 15) {
            for green in stride(from: 0, through: 255, by: 17) {
                for blue in stride(from: 0, through: 255, by: 5) {
                    let colour = RGBColour(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
                    #expect(RGBColour(HSBColour(colour)) == colour)
                }
            }
        }
    }

    @Test(
        arguments: [
            (RGBColour(red: 200, green: 30, blue: 30), "#f2dfdf"), (RGBColour(red: 20, green: 20, blue: 90), "#dfdff2"),
            // A grey has no hue: its background is the red's.
            (RGBColour(red: 90, green: 90, blue: 90), "#f2dfdf"),
        ]
    )
    func `makes a background of the same hue, hardly saturated and bright`(colour: RGBColour, background: String) {
        #expect(colour.background.description == background)
    }

    /// Stripes of colours, `share` columns of 100 each.
    private func stripes(_ colours: [(RGBColour, share: Int)], alpha: [UInt8]? = nil) -> PixelBuffer {
        let row = colours.flatMap { colour, share in
            (0..<share).flatMap { _ in [colour.red, colour.green, colour.blue] }
        }
        return PixelBuffer(
            width: 100,
            height: 20,
            bytes: (0..<20).flatMap { _ in row },
            alpha: alpha.map { alpha in (0..<2_000).map { alpha[$0 % 100] } }
        )
    }

    private static let red = RGBColour(red: 200, green: 16, blue: 24)
    private static let blue = RGBColour(red: 16, green: 40, blue: 200)
    private static let white = RGBColour(red: 255, green: 255, blue: 255)

    @Test func `finds the colour that most pixels have`() {
        let picture = stripes([(Self.red, 100)])
        // A plane of the histogram is eight values wide; its colour is the middle one.
        #expect(RGBColour.dominant(of: picture, every: 1) == RGBColour(red: 204, green: 20, blue: 28))
    }

    @Test func `leaves out paper, and what is transparent`() {
        #expect(
            RGBColour.dominant(of: stripes([(Self.white, 90), (Self.blue, 10)]), every: 1)
                == RGBColour(red: 20, green: 44, blue: 204)
        )
        let alpha = (0..<100).map { UInt8($0 < 90 ? 124 : 125) }
        #expect(
            RGBColour.dominant(of: stripes([(Self.red, 90), (Self.blue, 10)], alpha: alpha), every: 1)
                == RGBColour(red: 20, green: 44, blue: 204)
        )
    }

    @Test func `takes a white picture for white`() {
        #expect(RGBColour.dominant(of: stripes([(Self.white, 100)]), every: 1) == Self.white)
    }

    @Test(arguments: [ColourSampling.everyTenthPixel, .reducedSize])
    func `finds the colour of a file`(sampling: ColourSampling) throws {
        let file = try JPEGEncoder.encode(stripes([(Self.red, 100)]), quality: 95)
        let colour = try RGBColour.dominant(ofEncoded: file, sampling: sampling)
        #expect(abs(Int(colour.red) - 204) <= 8 && abs(Int(colour.green) - 20) <= 8)
    }

    @Test func `says that it cannot decode what it cannot`() {
        #expect(throws: ImagingError.self) { try RGBColour.dominant(ofEncoded: Array("GIF89a".utf8)) }
        #expect(throws: ImagingError.self) { try RGBColour.dominant(ofEncoded: []) }
    }
}
