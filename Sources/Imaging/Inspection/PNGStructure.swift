// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The chunks of a PNG file (W3C PNG, third edition, section 5).
enum PNGStructure {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads the header chunk, which must come first.
    static func info(_ bytes: [UInt8]) throws(ImagingError) -> ImageInfo {
        var reader = ByteReader(bytes, format: .png, offset: signature.count)
        let byteCount = try reader.bigEndian(byteCount: 4)
        guard try reader.name() == "IHDR", byteCount == 13 else {
            throw .corrupt(.png, detail: "its first chunk is not a header")
        }
        let width = try reader.bigEndian(byteCount: 4)
        let height = try reader.bigEndian(byteCount: 4)
        return try ImageInfo(format: .png, pixelWidth: width, pixelHeight: height, orientation: orientation(bytes))
    }

    /// The orientation in the chunk `eXIf`, as far as the bytes reach.
    private static func orientation(_ bytes: [UInt8]) -> Int {
        var reader = ByteReader(bytes, format: .png, offset: signature.count)
        while let byteCount = try? reader.bigEndian(byteCount: 4), let name = try? reader.name(), name != "IEND" {
            if name == "eXIf" { return EXIFOrientation.find(inChunk: reader.peek(byteCount)) ?? 1 }
            guard (try? reader.skip(byteCount + 4)) != nil else { break }
        }
        return 1
    }

    /// Follows the chunks to the end chunk, so that a file cut short is distinguished from one with wrong bytes.
    static func verify(_ bytes: [UInt8]) throws(ImagingError) {
        var reader = ByteReader(bytes, format: .png, offset: signature.count)
        var name = ""
        while name != "IEND" {
            let byteCount = try reader.bigEndian(byteCount: 4)
            name = try reader.name()
            // The data and its checksum.
            try reader.skip(byteCount + 4)
        }
    }
}

/// The segments of a JPEG file (ITU-T T.81, annex B).
enum JPEGStructure {
    /// Walks the segments to the frame header, which holds the dimensions.
    static func info(_ bytes: [UInt8]) throws(ImagingError) -> ImageInfo {
        var reader = ByteReader(bytes, format: .jpeg, offset: 2)
        var orientation: Int?
        while true {
            let marker = try nextMarker(&reader)
            if isStandalone(marker) { continue }
            if marker == 0xD9 || marker == 0xDA { throw .corrupt(.jpeg, detail: "no frame header before the picture") }
            let segmentByteCount = try reader.bigEndian(byteCount: 2)
            guard segmentByteCount >= 2 else { throw .corrupt(.jpeg, detail: "a segment of impossible length") }
            if isFrameHeader(marker) { return try frameInfo(&reader, orientation: orientation ?? 1) }
            if marker == 0xE1, orientation == nil {
                orientation = EXIFOrientation.find(in: reader.peek(segmentByteCount - 2))
            }
            try reader.skip(segmentByteCount - 2)
        }
    }

    private static func nextMarker(_ reader: inout ByteReader) throws(ImagingError) -> Int {
        guard try reader.byte() == 0xFF else { throw .corrupt(.jpeg, detail: "no marker where a segment should start") }
        var marker = 0xFF
        // Any number of fill bytes may precede a marker.
        while marker == 0xFF { marker = try reader.byte() }
        return marker
    }

    private static func isStandalone(_ marker: Int) -> Bool {
        marker == 0x01 || (0xD0...0xD8).contains(marker)
    }

    /// C4, C8 and CC lie in the range of the frame headers but mean tables and extensions.
    private static func isFrameHeader(_ marker: Int) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    private static func frameInfo(
        _ reader: inout ByteReader,
        orientation: Int
    ) throws(ImagingError) -> ImageInfo {
        try reader.skip(1)
        let height = try reader.bigEndian(byteCount: 2)
        let width = try reader.bigEndian(byteCount: 2)
        return try ImageInfo(format: .jpeg, pixelWidth: width, pixelHeight: height, orientation: orientation)
    }
}
