// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

struct CodecTests {
    @Test(arguments: ChromaSubsampling.allCases)
    func `a JPEG decodes to nearly what was encoded`(_ subsampling: ChromaSubsampling) throws {
        let pixels = TestPicture.pixels(width: 67, height: 45)
        let bytes = try JPEGEncoder.encode(pixels, quality: 95, chromaSubsampling: subsampling)
        let decoded = try JPEGDecoder.decode(bytes)
        #expect([decoded.width, decoded.height] == [67, 45])
        let errors = zip(pixels.bytes, decoded.bytes).map { abs(Int($0) - Int($1)) }
        #expect(errors.reduce(0, +) / errors.count <= 2)
    }

    @Test(arguments: [(1, 67, 45), (2, 34, 23), (4, 17, 12), (8, 9, 6)])
    func `decodes at a fraction of the size`(_ denominator: Int, _ width: Int, _ height: Int) throws {
        let bytes = try TestPicture.jpeg(width: 67, height: 45)
        let decoded = try JPEGDecoder.decode(bytes, scaleDenominator: denominator)
        #expect([decoded.width, decoded.height] == [width, height])
    }

    @Test func `a higher quality takes more bytes`() throws {
        let pixels = TestPicture.pixels(width: 64, height: 64)
        let counts = try [10, 50, 90, 100].map { try JPEGEncoder.encode(pixels, quality: $0).count }
        #expect(counts == counts.sorted())
        #expect(Set(counts).count == counts.count)
    }

    @Test func `decodes a progressive grey JPEG`() throws {
        let decoded = try JPEGDecoder.decode(SampleFiles.progressiveJPEG)
        #expect([decoded.width, decoded.height] == [16, 16])
        #expect(
            stride(from: 0, to: decoded.bytes.count, by: 3).allSatisfy { decoded.bytes[$0] == decoded.bytes[$0 + 2] }
        )
    }

    @Test func `refuses to decode a truncated JPEG`() throws {
        let bytes = try TestPicture.jpeg(width: 67, height: 45)
        let error = try #require(throws: ImagingError.self) {
            try JPEGDecoder.decode(Array(bytes.prefix(bytes.count / 2)))
        }
        #expect(error.code == .truncated)
    }

    @Test func `refuses a picture whose side is too long for a JPEG`() throws {
        let pixels = PixelBuffer(width: 65_501, height: 1, bytes: Array(repeating: 0, count: 65_501 * 3))
        let error = try #require(throws: ImagingError.self) { try JPEGEncoder.encode(pixels, quality: 75) }
        #expect(error.code == .tooLarge)
    }

    @Test func `decodes a PNG exactly`() throws {
        let decoded = try PNGDecoder.decode(SampleFiles.png)
        #expect([decoded.width, decoded.height] == [3, 2])
        #expect(decoded.bytes == [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 128, 128, 128])
    }

    @Test func `decodes an interlaced grey PNG`() throws {
        let decoded = try PNGDecoder.decode(SampleFiles.interlacedPNG)
        let greys: [UInt8] = [0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80, 0x90]
        #expect(decoded.bytes == greys.flatMap { [$0, $0, $0] })
    }

    @Test func `lays transparent pixels of a copy over white`() throws {
        let copy = try ResizedImage.jpeg(of: SampleFiles.transparentPNG, fitting: 2, by: 1)
        #expect(copy.pixels.bytes == [255, 0, 0, 255, 255, 255])
        #expect(try PNGDecoder.decode(SampleFiles.transparentPNG).alpha == [255, 0])
    }

    @Test func `decoders refuse each other's files`() throws {
        #expect(throws: ImagingError.self) { try JPEGDecoder.decode(SampleFiles.png) }
        #expect(throws: ImagingError.self) { try PNGDecoder.decode(TestPicture.jpeg(width: 8, height: 8)) }
    }

    @Test func `decodes a WebP exactly, with its alpha`() throws {
        let decoded = try WebPDecoder.decode(SampleFiles.smallWebP)
        #expect([decoded.width, decoded.height] == [3, 2])
        #expect(decoded.bytes == [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 128, 128, 128])
        #expect(decoded.alpha == [255, 128, 255, 255, 255, 255])
        #expect(try WebPDecoder.decode(SampleFiles.webp).bytes == [255, 255, 255])
    }

    @Test(arguments: [(1, 3, 2), (2, 2, 1), (4, 1, 1)])
    func `decodes a WebP to a fraction of its size`(_ denominator: Int, _ width: Int, _ height: Int) throws {
        let decoded = try WebPDecoder.decode(SampleFiles.smallWebP, scaleDenominator: denominator)
        #expect([decoded.width, decoded.height] == [width, height])
    }

    @Test(
        arguments: [
            (Array(SampleFiles.smallWebP.prefix(60)), ImagingError.Code.truncated),
            (SampleFiles.png, .corrupt),
            (SampleFiles.smallWebP.prefix(30) + Array(repeating: 0xA5, count: 40), .corrupt),
            (SampleFiles.webPOnALargerCanvas, .corrupt),
        ]
    )
    func `refuses a WebP that is cut or damaged`(_ file: [UInt8], _ code: ImagingError.Code) throws {
        let error = try #require(throws: ImagingError.self) { try WebPDecoder.decode(file) }
        #expect(error.code == code, "\(error)")
    }

    /// Its frame is red; on a larger canvas, it lies two pixels from the left and from the top.
    @Test(arguments: [(0, 2, [0]), (1, 4, [10])])
    func `decodes the first frame of an animation`(_ offset: UInt8, _ side: Int, _ redPixels: [Int]) throws {
        var file = SampleFiles.animatedWebP
        (file[24], file[27]) = (UInt8(side - 1), UInt8(side - 1))
        (file[52], file[55]) = (offset, offset)
        let frame = try WebPDecoder.decode(file)
        #expect([frame.width, frame.height] == [side, side])
        for pixel in redPixels { #expect(frame.bytes[(pixel * 3)...].prefix(3) == [255, 0, 0]) }
        let opaqueCount = frame.alpha?.count { $0 > 0 }
        #expect(opaqueCount == nil || opaqueCount == 4)
        #expect(try WebPDecoder.decode(file, scaleDenominator: 2).width == side / 2)
        #expect(try ResizedImage.jpeg(of: file, fitting: 1, by: 1).pixels.width == 1)
    }

    @Test func `refuses a frame that reaches beyond its canvas`() throws {
        var file = SampleFiles.animatedWebP
        file[52] = 1
        let error = try #require(throws: ImagingError.self) { try WebPDecoder.decode(file) }
        #expect(error.message == "corrupt WebP file: a frame of 4x2, not within 2x2")
    }

    @Test func `writes PNG files without loss`() throws {
        let pixels = TestPicture.pixels(width: 37, height: 21)
        let file = try PNGEncoder.encode(pixels)
        #expect(try ImageInspector.verify(file).format == .png)
        #expect(try PNGDecoder.decode(file) == pixels)
    }
}
