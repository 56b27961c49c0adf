// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom
import Testing

@testable import Imaging

struct ResizedImageTests {
    @Test(
        arguments: [
            (400, 300, 200, 200, 200, 150), (300, 400, 200, 200, 150, 200), (201, 200, 200, 200, 200, 199),
            (100, 50, 200, 200, 100, 50), (200, 200, 200, 200, 200, 200), (1_000, 1, 10, 10, 10, 1),
            (1, 1_000, 10, 10, 1, 10), (1_080, 1_350, 585, 1_170, 585, 731), (333, 500, 100, 100, 67, 100),
        ]
    )
    func `a copy fits and keeps its proportions`(
        _ width: Int,
        _ height: Int,
        _ boxWidth: Int,
        _ boxHeight: Int,
        _ fittedWidth: Int,
        _ fittedHeight: Int
    ) throws {
        let fitted = ResizedImage.fitted(width, height: height, into: boxWidth, boxHeight: boxHeight)
        #expect([fitted.width, fitted.height] == [fittedWidth, fittedHeight])
    }

    @Test(arguments: [(67, 45, 20), (640, 480, 33), (512, 512, 64), (90, 90, 89), (40, 30, 100)])
    func `a copy shows what its original shows`(_ width: Int, _ height: Int, _ side: Int) throws {
        let copy = try ResizedImage.jpeg(
            of: try TestPicture.jpeg(width: width, height: height),
            fitting: side,
            by: side
        )
        let decoded = try JPEGDecoder.decode(copy.bytes)
        #expect([decoded.width, decoded.height] == [copy.pixels.width, copy.pixels.height])
        let fitted = ResizedImage.fitted(width, height: height, into: side, boxHeight: side)
        #expect([decoded.width, decoded.height] == [fitted.width, fitted.height])
        let expected = TestPicture.pixels(width: decoded.width, height: decoded.height)
        let errors = zip(expected.bytes, decoded.bytes).map { abs(Int($0) - Int($1)) }
        // The gradient is drawn from each pixel's corner, and reduced around its middle.
        #expect(errors.reduce(0, +) / errors.count <= 4 + 128 / decoded.height)
    }

    @Test func `a pixel is the mean of the area that it covers`() throws {
        // Three columns become two: each is one and a half wide.
        let file = try PNGEncoder.encode(PixelBuffer(width: 3, height: 1, bytes: [0, 30, 60, 90, 90, 90, 60, 30, 0]))
        let pixels = try ResizedImage.jpeg(of: file, fitting: 2, by: 2).pixels
        #expect([pixels.width, pixels.height] == [2, 1])
        #expect(pixels.bytes == [30, 50, 70, 70, 50, 30])
    }

    @Test func `means are rounded as division of whole numbers rounds them`() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let (width, height) = (random.integer(in: 1...40), random.integer(in: 1...40))
            let (toWidth, toHeight) = (random.integer(in: 1...width), random.integer(in: 1...height))
            // Of few values, so that many means lie halfway between two.
            let valueMax = random.integer(in: 1...255)
            var samples: [UInt8] { (0..<width * height).map { _ in UInt8(random.integer(in: 0...valueMax)) } }
            let gray = samples
            let colors: [UInt8] = gray.flatMap { [$0, 255 - $0, 0] }
            let picture = PixelBuffer(width: width, height: height, bytes: colors, alpha: samples)
            let reduced = try picture.reduced(to: toWidth, height: toHeight, format: .png)
            let expected = mean(gray, width: width, to: toWidth, toHeight)
            #expect(stride(from: 0, to: reduced.bytes.count, by: 3).map { reduced.bytes[$0] } == expected)
            #expect(reduced.alpha == mean(picture.alpha ?? [], width: width, to: toWidth, toHeight))
        }
    }

    /// Of each area, sample by sample, in units of which both pictures have as many.
    private func mean(_ samples: [UInt8], width: Int, to reducedWidth: Int, _ reducedHeight: Int) -> [UInt8] {
        let height = samples.count / width
        return (0..<reducedWidth * reducedHeight).map { target in
            let (column, row) = (target % reducedWidth, target / reducedWidth)
            var sum = 0
            for y in row * height..<(row + 1) * height {
                for x in column * width..<(column + 1) * width {
                    sum += Int(samples[y / reducedHeight * width + x / reducedWidth])
                }
            }
            return UInt8((sum + width * height / 2) / (width * height))
        }
    }

    @Test func `what cannot be decoded is refused`() throws {
        let jpeg = try TestPicture.jpeg(width: 67, height: 45)
        for file in [Array(jpeg.prefix(jpeg.count / 2)), Array("no image".utf8)] {
            #expect(throws: ImagingError.self) { try ResizedImage.jpeg(of: file, fitting: 10, by: 10) }
        }
    }

    /// Orientations with the stored rows of a picture that is seen as 1 2 3 over 4 5 6 (CIPA DC-008-2023, table 6).
    @Test(arguments: [
        (1, 3, [1, 2, 3, 4, 5, 6]), (2, 3, [3, 2, 1, 6, 5, 4]), (3, 3, [6, 5, 4, 3, 2, 1]), (4, 3, [4, 5, 6, 1, 2, 3]),
        (5, 2, [1, 4, 2, 5, 3, 6]), (6, 2, [3, 6, 2, 5, 1, 4]), (7, 2, [6, 3, 5, 2, 4, 1]), (8, 2, [4, 1, 5, 2, 6, 3]),
    ])
    func `a picture is turned upright`(_ orientation: Int, _ width: Int, _ stored: [UInt8]) {
        let samples = stored.flatMap { [$0, 10 + $0, 20 + $0] }
        let picture = PixelBuffer(width: width, height: 6 / width, bytes: samples, alpha: stored)
        let seen = PixelBuffer(
            width: 3,
            height: 2,
            bytes: (1...6).flatMap { [$0, 10 + $0, 20 + $0] },
            alpha: Array(1...6)
        )
        #expect(picture.upright(from: orientation) == seen)
    }
}
