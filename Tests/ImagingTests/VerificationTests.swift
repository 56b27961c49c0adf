// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

struct VerificationTests {
    static let wholeFiles = [
        SampleFiles.progressiveJPEG, SampleFiles.png, SampleFiles.transparentPNG, SampleFiles.interlacedPNG,
        SampleFiles.gif, SampleFiles.webp,
        SampleFiles.losslessWebP, HEIFSamples.heic, HEIFSamples.avif,
    ]

    @Test(arguments: wholeFiles) func `accepts a whole file`(_ bytes: [UInt8]) throws {
        let info = try ImageInspector.verify(bytes)
        #expect(try info == ImageInspector.inspect(bytes))
    }

    @Test(arguments: wholeFiles) func `refuses every shorter prefix`(_ bytes: [UInt8]) throws {
        for count in 0..<bytes.count {
            let error = try #require(throws: ImagingError.self) {
                try ImageInspector.verify(Array(bytes.prefix(count)))
            }
            #expect(error.code == .truncated || (count < 12 && error.code == .unknownFormat))
        }
    }

    @Test func `calls a JPEG truncated wherever it was cut`() throws {
        let bytes = try TestPicture.jpeg(width: 160, height: 120)
        try ImageInspector.verify(bytes)
        for count in stride(from: 2, to: bytes.count, by: 7) {
            let error = try #require(throws: ImagingError.self) {
                try ImageInspector.verify(Array(bytes.prefix(count)))
            }
            #expect(error.code == .truncated || count == 2, "\(count) of \(bytes.count) bytes: \(error)")
        }
    }

    @Test func `misses a JPEG's end marker`() throws {
        let bytes = try TestPicture.jpeg(width: 160, height: 120)
        let error = try #require(throws: ImagingError.self) { try ImageInspector.verify(bytes.dropLast(2)) }
        #expect(error.message == "truncated JPEG file: Premature end of JPEG file; copy it again")
    }

    @Test func `accepts bytes after a JPEG's end, as some phones append`() throws {
        try ImageInspector.verify(TestPicture.jpeg(width: 16, height: 16) + [1, 2, 3])
    }

    @Test func `refuses a JPEG overwritten in the middle`() throws {
        var bytes = try TestPicture.jpeg(width: 160, height: 120)
        let middle = bytes.count * 3 / 4
        bytes.replaceSubrange(middle..<(middle + 40), with: repeatElement(0xA5, count: 40))
        let error = try #require(throws: ImagingError.self) { try ImageInspector.verify(bytes) }
        #expect([.corrupt, .truncated].contains(error.code))
    }

    @Test(arguments: [45, 60, 61]) func `refuses a PNG with a changed byte of its data`(_ offset: Int) throws {
        var bytes = SampleFiles.png
        bytes[offset] ^= 0x01
        let error = try #require(throws: ImagingError.self) { try ImageInspector.verify(bytes) }
        #expect(error.code == .corrupt)
        #expect(error.message.hasPrefix("corrupt PNG file: "))
    }

    @Test func `tells how much of a WebP is there`() throws {
        let error = try #require(throws: ImagingError.self) {
            try ImageInspector.verify(Array(SampleFiles.webp.prefix(40)))
        }
        #expect(error.message == "truncated WebP file: it has 40 of its 44 bytes; copy it again")
    }

    @Test func `refuses a GIF without a picture`() throws {
        let bytes = Array(SampleFiles.gif.prefix(19)) + [0x3B]
        let error = try #require(throws: ImagingError.self) { try ImageInspector.verify(bytes) }
        #expect(error.message == "corrupt GIF file: it holds no picture")
    }
}
