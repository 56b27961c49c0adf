// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

struct InspectionTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let format: ImageFormat
        let width: Int
        let height: Int

        init(_ name: String, _ bytes: [UInt8], _ format: ImageFormat, _ width: Int, _ height: Int) {
            testDescription = name
            self.bytes = bytes
            self.format = format
            self.width = width
            self.height = height
        }
    }

    static let samples = [
        Sample("JPEG header", SampleFiles.jpegHeader, .jpeg, 640, 480),
        Sample("progressive JPEG", SampleFiles.progressiveJPEG, .jpeg, 16, 16),
        Sample("PNG", SampleFiles.png, .png, 3, 2),
        Sample("interlaced PNG", SampleFiles.interlacedPNG, .png, 3, 3),
        Sample("PNG header", SampleFiles.pngHeader(width: 10_000, height: 10_000), .png, 10_000, 10_000),
        Sample("GIF", SampleFiles.gif, .gif, 2, 1),
        Sample("lossy WebP", SampleFiles.webp, .webp, 1, 1),
        Sample("lossless WebP", SampleFiles.losslessWebP, .webp, 1, 1),
        Sample("extended WebP header", SampleFiles.extendedWebPHeader, .webp, 4_000, 3_000),
        Sample("HEIC, turned", HEIFSamples.heic, .heic, 16, 24),
        Sample("AVIF", HEIFSamples.avif, .avif, 24, 16),
    ]

    @Test(arguments: samples) func `tells format and dimensions`(_ sample: Sample) throws {
        let info = try ImageInspector.inspect(sample.bytes)
        #expect(info.format == sample.format)
        #expect([info.pixelWidth, info.pixelHeight] == [sample.width, sample.height])
    }

    /// An APP1 segment with one entry of the 0th IFD, in either order of bytes.
    static func exif(_ order: String, orientation: UInt8, tag: UInt8 = 0x12) -> [UInt8] {
        let isLittle = order == "II"
        func number(_ value: UInt8, byteCount: Int) -> [UInt8] {
            let zeros = [UInt8](repeating: 0, count: byteCount - 1)
            return isLittle ? [value] + zeros : zeros + [value]
        }
        let tagBytes: [UInt8] = isLittle ? [tag, 1] : [1, tag]
        let entry =
            tagBytes + number(3, byteCount: 2) + number(1, byteCount: 4) + number(orientation, byteCount: 2) + [0, 0]
        let tiff =
            Array(order.utf8) + number(42, byteCount: 2) + number(8, byteCount: 4) + number(1, byteCount: 2) + entry
        let contents = Array("Exif\0\0".utf8) + tiff
        return [0xFF, 0xE1, 0, UInt8(contents.count + 2)] + contents
    }

    @Test(
        arguments: [
            (exif("II", orientation: 6), 6), (exif("MM", orientation: 8), 8), (exif("II", orientation: 9), 1),
            (exif("MM", orientation: 6, tag: 0x11), 1), (Array(exif("II", orientation: 6).prefix(24)), 1), ([], 1),
        ] as [([UInt8], Int)]
    )
    func `tells how a photograph is to be turned`(segment: [UInt8], expected: Int) throws {
        var segment = segment
        if segment.count > 4 { segment[3] = UInt8(segment.count - 2) }
        let header = SampleFiles.jpegHeader
        let info = try ImageInspector.inspect(Array(header.prefix(2)) + segment + header.dropFirst(2))
        #expect(info.orientation == expected)
        #expect([info.pixelWidth, info.pixelHeight] == [640, 480])
    }

    @Test(arguments: samples) func `calls every shorter prefix truncated or unknown`(_ sample: Sample) throws {
        for count in 0..<sample.bytes.count {
            do throws(ImagingError) {
                _ = try ImageInspector.inspect(Array(sample.bytes.prefix(count)))
            } catch {
                #expect(error.code == (count < 12 ? .unknownFormat : .truncated) || error.code == .truncated)
            }
        }
    }

    @Test(
        arguments: zip(
            ImageFormat.allCases,
            ["image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif"]
        )
    )
    func `names the media type`(_ format: ImageFormat, _ contentType: String) {
        #expect(format.contentType == contentType)
    }

    @Test(arguments: [[], [0xFF], Array("<svg>".utf8), Array("RIFF....WAVE".utf8), Array("not an image".utf8)])
    func `refuses what is no image`(_ bytes: [UInt8]) throws {
        let error = try #require(throws: ImagingError.self) { try ImageInspector.inspect(bytes) }
        #expect(error.code == .unknownFormat)
        #expect(error.message.contains("JPEG, PNG, GIF, WebP, HEIC and AVIF"))
    }

    @Test func `refuses more than 100 megapixels`() throws {
        let bytes = SampleFiles.pngHeader(width: 10_000, height: 10_001)
        let error = try #require(throws: ImagingError.self) { try ImageInspector.inspect(bytes) }
        #expect(error.code == .tooLarge)
        #expect(error.message == "the image is 10000x10001 pixels; the limit is 100000000 in all")
    }

    @Test(arguments: [SampleFiles.pngHeader(width: 0, height: 1), SampleFiles.pngHeader(width: 1, height: 0)])
    func `refuses a picture without pixels`(_ bytes: [UInt8]) throws {
        let error = try #require(throws: ImagingError.self) { try ImageInspector.inspect(bytes) }
        #expect(error.code == .corrupt)
    }

    @Test func `refuses a JPEG whose picture comes before its frame header`() throws {
        let error = try #require(throws: ImagingError.self) {
            try ImageInspector.inspect([0xFF, 0xD8, 0xFF, 0xDA, 0x00, 0x0C])
        }
        #expect(error.message == "corrupt JPEG file: no frame header before the picture")
    }
}
