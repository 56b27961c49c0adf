// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The chunks of a WebP file (RFC 9649, section 2).
enum WebPStructure {
    private static let firstChunkOffset = 12

    static func info(_ bytes: [UInt8]) throws(ImagingError) -> ImageInfo {
        var reader = ByteReader(bytes, format: .webp, offset: firstChunkOffset)
        let name = try reader.name()
        try reader.skip(4)
        switch name {
        case "VP8 ": return try lossyInfo(&reader)
        case "VP8L": return try losslessInfo(&reader)
        case "VP8X": return try extendedInfo(&reader)
        default: throw .corrupt(.webp, detail: "its first chunk is not a picture")
        }
    }

    /// Follows the chunks to the length that the file declares; bytes after it belong to no chunk and are allowed.
    static func verify(_ bytes: [UInt8]) throws(ImagingError) {
        var reader = ByteReader(bytes, format: .webp, offset: 4)
        let end = try reader.littleEndian(byteCount: 4) + 8
        guard end <= bytes.count else {
            throw .truncated(.webp, detail: "it has \(bytes.count) of its \(end) bytes")
        }
        try reader.skip(4)
        var hasPicture = false
        while reader.offset < end {
            let name = try reader.name()
            let byteCount = try reader.littleEndian(byteCount: 4)
            // Chunks are padded to an even length.
            try reader.skip(byteCount + byteCount % 2)
            hasPicture = hasPicture || ["VP8 ", "VP8L", "ANMF"].contains(name)
        }
        guard reader.offset == end else { throw .corrupt(.webp, detail: "a chunk crosses the end of the file") }
        guard hasPicture else { throw .corrupt(.webp, detail: "it holds no picture") }
    }

    /// The first frame of an animation, and where it lies on the canvas; `nil` for a file with one picture.
    static func firstFrame(_ bytes: [UInt8]) throws(ImagingError) -> WebPFrame? {
        var reader = ByteReader(bytes, format: .webp, offset: firstChunkOffset)
        while reader.remainingCount > 0 {
            let name = try reader.name()
            let byteCount = try reader.littleEndian(byteCount: 4)
            var chunk = try reader.part(byteCount)
            guard name == "ANMF" else {
                // Chunks are padded to an even length; that of the last may be missing.
                if reader.remainingCount > 0 { try reader.skip(byteCount % 2) }
                continue
            }
            let (x, y) = (try chunk.littleEndian(byteCount: 3) * 2, try chunk.littleEndian(byteCount: 3) * 2)
            let (width, height) = (try chunk.littleEndian(byteCount: 3) + 1, try chunk.littleEndian(byteCount: 3) + 1)
            // Its duration and how it is laid over the frame before.
            try chunk.skip(4)
            return WebPFrame(x: x, y: y, width: width, height: height, bytes: Array(chunk.peek(chunk.remainingCount)))
        }
        return nil
    }

    /// A key frame's header (RFC 6386, section 9.1): the sides have 14 bits, under 2 bits of scale.
    private static func lossyInfo(_ reader: inout ByteReader) throws(ImagingError) -> ImageInfo {
        try reader.skip(3)
        guard try reader.bigEndian(byteCount: 3) == 0x9D_01_2A else { throw .corrupt(.webp, detail: "no key frame") }
        let width = try reader.littleEndian(byteCount: 2) & 0x3FFF
        let height = try reader.littleEndian(byteCount: 2) & 0x3FFF
        return try ImageInfo(format: .webp, pixelWidth: width, pixelHeight: height)
    }

    private static func losslessInfo(_ reader: inout ByteReader) throws(ImagingError) -> ImageInfo {
        guard try reader.byte() == 0x2F else { throw .corrupt(.webp, detail: "no lossless signature") }
        let sides = try reader.littleEndian(byteCount: 4)
        return try ImageInfo(
            format: .webp,
            pixelWidth: (sides & 0x3FFF) + 1,
            pixelHeight: (sides >> 14 & 0x3FFF) + 1
        )
    }

    private static func extendedInfo(_ reader: inout ByteReader) throws(ImagingError) -> ImageInfo {
        try reader.skip(4)
        let width = try reader.littleEndian(byteCount: 3) + 1
        let height = try reader.littleEndian(byteCount: 3) + 1
        return try ImageInfo(format: .webp, pixelWidth: width, pixelHeight: height, orientation: orientation(reader))
    }

    /// The orientation in the chunk `EXIF`, which only extended files have, as far as the bytes reach.
    private static func orientation(_ reader: ByteReader) -> Int {
        var reader = reader
        while let name = try? reader.name(), let byteCount = try? reader.littleEndian(byteCount: 4) {
            if name == "EXIF" { return EXIFOrientation.find(inChunk: reader.peek(byteCount)) ?? 1 }
            guard (try? reader.skip(byteCount + byteCount % 2)) != nil else { break }
        }
        return 1
    }
}

/// A frame of an animation, in pixels of the canvas.
struct WebPFrame {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    /// Its chunks: the picture, and an alpha before it if it has one.
    let bytes: [UInt8]
}
