// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The boxes of a HEIC or AVIF file (ISO/IEC 14496-12:2022, section 4.2; ISO/IEC 23008-12:2022).
enum HEIFStructure {
    private static let hevcBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
    private static let av1Brands: Set<String> = ["avif", "avis"]
    /// Brands that say nothing of the codec.
    private static let generalBrands: Set<String> = ["mif1", "mif2", "msf1", "miaf"]
    private static let brandCountMax = 64

    /// The format by the brands in a file's first box; `nil` for other files of this kind, such as films.
    static func format(of bytes: [UInt8]) -> ImageFormat? {
        guard bytes.dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
        var reader = ByteReader(bytes, format: .heic, offset: 0)
        guard var brands = try? reader.box().contents, let major = try? brands.name() else { return nil }
        if hevcBrands.contains(major) { return .heic }
        if av1Brands.contains(major) { return .avif }
        guard generalBrands.contains(major), (try? brands.skip(4)) != nil else { return nil }
        for _ in 0..<brandCountMax {
            guard let brand = try? brands.name(), !hevcBrands.contains(brand) else { return .heic }
            if av1Brands.contains(brand) { return .avif }
        }
        return .heic
    }

    /// Reads the size of the primary picture as it is seen.
    static func info(_ bytes: [UInt8], format: ImageFormat) throws(ImagingError) -> ImageInfo {
        var header = HEIFHeader(format: format)
        var meta = try metaBox(of: bytes, format: format)
        while header.primaryItem == nil || header.associations.isEmpty {
            guard meta.remainingCount > 0 || meta.end == bytes.count else {
                throw .corrupt(format, detail: "it names no picture")
            }
            try header.read(try meta.box())
        }
        let stored = try header.storedSize()
        _ = try ImageInfo(format: format, pixelWidth: stored.width, pixelHeight: stored.height)
        let seen = try header.seenSize()
        return try ImageInfo(format: format, pixelWidth: seen.width, pixelHeight: seen.height)
    }

    /// Proves that the data of every item is in the file.
    static func verify(_ bytes: [UInt8], format: ImageFormat) throws(ImagingError) {
        let items = try items(of: bytes, format: format)
        for item in items.extents.keys { _ = try items.ranges(of: item, in: bytes) }
    }

    /// All that the file says of its items.
    static func items(of bytes: [UInt8], format: ImageFormat) throws(ImagingError) -> HEIFItems {
        var items = HEIFItems(format: format)
        var meta = try metaBox(of: bytes, format: format)
        while meta.remainingCount > 0 { try items.read(try meta.box()) }
        guard !items.extents.isEmpty else {
            guard meta.end < bytes.count else {
                throw .truncated(format, detail: "its items are not described in the first \(bytes.count) bytes")
            }
            throw .corrupt(format, detail: "it says of no item where it is")
        }
        return items
    }

    private static func metaBox(of bytes: [UInt8], format: ImageFormat) throws(ImagingError) -> ByteReader {
        var reader = ByteReader(bytes, format: format, offset: 0)
        while true {
            var box = try reader.box()
            guard box.type == "meta" else { continue }
            // Its version and flags.
            try box.contents.skip(4)
            return box.contents
        }
    }
}

/// A box, with its contents as far as the file reaches.
struct HEIFBox {
    let type: String
    var contents: ByteReader
}

extension ByteReader {
    /// Reads a box and steps over it.
    mutating func box() throws(ImagingError) -> HEIFBox {
        let start = offset
        var byteCount = try bigEndian(byteCount: 4)
        let type = try name()
        switch byteCount {
        // The last box of a file may reach to its end.
        case 0: byteCount = end - start
        case 1: byteCount = try bigEndian(byteCount: 8)
        default: break
        }
        return HEIFBox(type: type, contents: try part(byteCount - (offset - start)))
    }

    /// Reads the version of a box that has one, and steps over its flags.
    mutating func version() throws(ImagingError) -> (version: Int, flags: Int) {
        (try byte(), try bigEndian(byteCount: 3))
    }
}
