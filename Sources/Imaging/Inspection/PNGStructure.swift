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
            throw .corrupt(.png, "its first chunk is not a header")
        }
        let width = try reader.bigEndian(byteCount: 4)
        let height = try reader.bigEndian(byteCount: 4)
        return try ImageInfo(format: .png, pixelWidth: width, pixelHeight: height)
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
