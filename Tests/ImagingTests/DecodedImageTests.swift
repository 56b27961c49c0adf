// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Imaging
import Testing

@Suite struct DecodedImageTests {
    private static func photo(_ width: Int, _ height: Int) throws -> Data {
        let pixels = PixelBuffer(width: width, height: height, bytes: gradient(width, height))
        return Data(try JPEGEncoder.encode(pixels, quality: 90))
    }

    /// Red grows to the right, green downwards.
    private static func gradient(_ width: Int, _ height: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for y in 0..<height {
            let green = UInt8(y * 255 / height)
            for x in 0..<width { bytes += [UInt8(x * 255 / width), green, 128] }
        }
        return bytes
    }

    @Test(
        arguments: [
            ((400, 300), (100, 100), (134, 100)), ((300, 400), (100, 100), (100, 134)),
            ((400, 300), (200, 150), (200, 150)), ((400, 300), (1_000, 100), (400, 300)),
            ((100, 80), (200, 200), (100, 80)), ((400, 300), (1, 1), (2, 1)),
        ]
    )
    func `has the least size that covers the box`(stored: (Int, Int), box: (Int, Int), expected: (Int, Int)) throws {
        let image = try DecodedImage(Self.photo(stored.0, stored.1), covering: box.0, by: box.1)
        #expect((image.pixelWidth, image.pixelHeight) == expected)
        #expect(image.byteCount == expected.0 * expected.1 * 3)
    }

    @Test func `stands upright, whatever the orientation in the file`() throws {
        var photo = try Self.photo(400, 300)
        // An EXIF segment behind the start of the image: orientation 6, to be turned by a quarter to the right.
        let exif: [UInt8] = [
            0xFF, 0xE1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3,
            0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
        ]
        photo.insert(contentsOf: exif, at: 2)
        let image = try DecodedImage(photo, covering: 90, by: 120)
        #expect((image.pixelWidth, image.pixelHeight) == (90, 120))
        // The left edge of the stored picture is the top now: red grows downwards.
        let (top, bottom) = (Int(image.rgb[45 * 3]), Int(image.rgb[(119 * 90 + 45) * 3]))
        #expect(top < 20 && bottom > 230)
    }

    @Test func `refuses what is no image`() throws {
        #expect(throws: ImagingError.self) { try DecodedImage(Data("<html>".utf8), covering: 1, by: 1) }
        let photo = try Self.photo(40, 30)
        #expect(throws: ImagingError.self) { try DecodedImage(photo.prefix(200), covering: 1, by: 1) }
    }
}
