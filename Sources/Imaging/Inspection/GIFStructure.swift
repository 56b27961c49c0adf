// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The blocks of a GIF file (CompuServe GIF89a, 1990).
enum GIFStructure {
    private static let signatureByteCount = 6

    static func info(_ bytes: [UInt8]) throws(ImagingError) -> ImageInfo {
        var reader = ByteReader(bytes, format: .gif, offset: signatureByteCount)
        let width = try reader.littleEndian(byteCount: 2)
        let height = try reader.littleEndian(byteCount: 2)
        return try ImageInfo(format: .gif, pixelWidth: width, pixelHeight: height)
    }

    /// Follows the blocks to the trailer; at least one of them must be a picture.
    static func verify(_ bytes: [UInt8]) throws(ImagingError) {
        var reader = ByteReader(bytes, format: .gif, offset: signatureByteCount + 4)
        let flags = try reader.byte()
        try reader.skip(2 + colorTableByteCount(flags))
        var pictureCount = 0
        while true {
            switch try reader.byte() {
            case 0x21:
                try reader.skip(1)
                try skipSubBlocks(&reader)
            case 0x2C:
                try skipPicture(&reader)
                pictureCount += 1
            case 0x3B:
                guard pictureCount > 0 else { throw .corrupt(.gif, detail: "it holds no picture") }
                return
            default:
                throw .corrupt(.gif, detail: "an unknown block at byte \(reader.offset - 1)")
            }
        }
    }

    private static func colorTableByteCount(_ flags: Int) -> Int {
        flags & 0x80 == 0 ? 0 : 3 << ((flags & 0x07) + 1)
    }

    private static func skipPicture(_ reader: inout ByteReader) throws(ImagingError) {
        try reader.skip(8)
        let flags = try reader.byte()
        // The color table, then the code size of the compressed data.
        try reader.skip(colorTableByteCount(flags) + 1)
        try skipSubBlocks(&reader)
    }

    private static func skipSubBlocks(_ reader: inout ByteReader) throws(ImagingError) {
        var byteCount = try reader.byte()
        while byteCount > 0 {
            try reader.skip(byteCount)
            byteCount = try reader.byte()
        }
    }
}
