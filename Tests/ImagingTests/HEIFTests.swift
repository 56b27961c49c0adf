// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Imaging

struct HEIFTests {
    private static let red: [UInt8] = [255, 0, 0]
    private static let green: [UInt8] = [0, 255, 0]
    private static let blue: [UInt8] = [0, 0, 255]
    private static let yellow: [UInt8] = [255, 255, 0]

    @Test(
        arguments: [
            (HEIFSamples.heic, 16, 24, [green, red, yellow, blue]),
            (HEIFSamples.avif, 24, 16, [red, blue, green, yellow]),
        ]
    )
    func `decodes a picture as it is seen`(_ file: [UInt8], _ width: Int, _ height: Int, _ corners: [[UInt8]]) throws {
        let picture = try HEIFDecoder.decode(file)
        #expect([picture.width, picture.height] == [width, height])
        #expect(picture.alpha == nil)
        for (corner, color) in corners.enumerated() {
            let pixel = (corner / 2 * (height - 1)) * width + corner % 2 * (width - 1)
            for (sample, expected) in zip(picture.bytes[pixel * 3..<pixel * 3 + 3], color) {
                #expect(abs(Int(sample) - Int(expected)) <= 8, "corner \(corner)")
            }
        }
    }

    @Test(arguments: [(1, 16, 24), (2, 8, 12), (5, 4, 5)])
    func `decodes to a fraction of the size`(_ denominator: Int, _ width: Int, _ height: Int) throws {
        let picture = try HEIFDecoder.decode(HEIFSamples.heic, scaleDenominator: denominator)
        #expect([picture.width, picture.height] == [width, height])
    }

    @Test(arguments: [HEIFSamples.heic, HEIFSamples.avif]) func `a copy is an upright JPEG`(_ file: [UInt8]) throws {
        let copy = try ResizedImage.jpeg(of: file, fitting: 12, by: 12)
        let info = try ImageInspector.verify(copy.bytes)
        #expect(info.format == .jpeg)
        #expect([info.pixelWidth, info.pixelHeight] == (file == HEIFSamples.heic ? [8, 12] : [12, 8]))
    }

    @Test(
        arguments: [
            ("heic", [], ImageFormat.heic), ("heix", [], .heic), ("avif", [], .avif), ("avis", ["mif1"], .avif),
            ("mif1", ["heic", "avif"], .heic), ("mif1", ["miaf", "avif"], .avif), ("msf1", ["hevc"], .heic),
            ("mif1", [], .heic), ("mp42", ["isom"], nil), ("qt  ", [], nil),
        ] as [(String, [String], ImageFormat?)]
    )
    func `tells formats by their brands`(_ major: String, _ compatible: [String], _ format: ImageFormat?) {
        let brands = Array(([major, "0000"] + compatible).joined().utf8)
        let file = [0, 0, 0, UInt8(8 + brands.count)] + Array("ftyp".utf8) + brands
        #expect(ImageFormat(signatureOf: file) == format)
    }

    @Test(
        arguments: [
            // A size that is smaller than what is cut out of it, sizes beyond the limit and without pixels.
            (HEIFSamples.heic(replacing: "ispe", distance: 8, with: [0, 0, 0, 23]), ImagingError.Code.corrupt),
            (HEIFSamples.heic(replacing: "ispe", distance: 8, with: [0xFF, 0xFF, 0, 24]), .tooLarge),
            (HEIFSamples.heic(replacing: "ispe", distance: 8, with: [0, 0, 0, 0]), .corrupt),
            // An item of an unknown kind, a property that is not there, a box that is longer than the one around it.
            (HEIFSamples.heic(replacing: "hvc1", distance: 0, with: Array("jpeg".utf8)), .unsupported),
            (HEIFSamples.heic(replacing: "ipma", distance: 15, with: [0x7F]), .corrupt),
            (HEIFSamples.heic(replacing: "ispe", distance: -4, with: [0, 1, 0, 0]), .corrupt),
            (Array(HEIFSamples.heic.dropLast(20)), .truncated), (SampleFiles.png, .corrupt),
        ]
    )
    func `refuses a file that is cut, damaged or of another kind`(_ file: [UInt8], _ code: ImagingError.Code) throws {
        let error = try #require(throws: ImagingError.self) { try HEIFDecoder.decode(file) }
        #expect(error.code == code, "\(error)")
    }

    @Test func `refuses a picture that is coded far larger than the file says, before memory is taken for it`() throws {
        let set = HEIFSamples.parameterSet(width: 60_000, height: 60_000)
        let unit = HEIFSamples.heic.indices.first { HEIFSamples.heic[$0...].starts(with: [0x42, 0x01]) } ?? 0
        var file = HEIFSamples.heic
        file.replaceSubrange(unit..<unit + set.count, with: set)
        let error = try #require(throws: ImagingError.self) { try HEIFDecoder.decode(file) }
        #expect(error.message == "the image is 60000x60000 pixels; the limit is 100000000 in all")
    }

    @Test(arguments: [(24, 16), (4_032, 3_024), (60_000, 60_000)])
    func `reads sizes in coded data`(_ width: Int, _ height: Int) throws {
        let set = HEIFSamples.parameterSet(width: width, height: height)
        var hevc = ByteReader([0, 0, 0, 2, 0x40, 1, 0, 0, 0, UInt8(set.count)] + set, format: .heic, offset: 0)
        #expect(try CodedPictureSize.ofHEVC(&hevc).map { [$0.width, $0.height] } == [[width, height]])
        var av1 = ByteReader(
            [0x12, 0] + HEIFSamples.sequenceHeader(width: width, height: height),
            format: .avif,
            offset: 0
        )
        #expect(try CodedPictureSize.ofAV1(&av1).map { [$0.width, $0.height] } == [[width, height]])
    }
}
