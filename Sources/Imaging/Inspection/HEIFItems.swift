// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The items of a HEIF file and where their data are (ISO/IEC 14496-12:2022, section 8.11).
struct HEIFItems {
    /// A part of an item's data.
    struct Extent {
        /// Counted from the file's first byte, or from that of the box `idat`.
        let offset: Int
        /// Zero for all that follows.
        let byteCount: Int
        let isInsideMeta: Bool
    }

    private(set) var header: HEIFHeader
    private(set) var types: [Int: String] = [:]
    private(set) var extents: [Int: [Extent]] = [:]
    /// The tiles of each picture that is put together.
    private(set) var tiles: [Int: [Int]] = [:]
    private var innerData: Range<Int>?

    init(format: ImageFormat) { header = HEIFHeader(format: format) }

    private var format: ImageFormat { header.format }

    mutating func read(_ box: HEIFBox) throws(ImagingError) {
        var contents = box.contents
        switch box.type {
        case "iinf": try readTypes(&contents)
        case "iloc": try readLocations(&contents)
        case "iref": try readReferences(&contents)
        case "idat": innerData = contents.offset..<contents.end
        default: try header.read(box)
        }
    }

    /// Where an item's data are in the file.
    func ranges(of item: Int, in bytes: [UInt8]) throws(ImagingError) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for extent in extents[item] ?? [] {
            guard let space = extent.isInsideMeta ? innerData : 0..<bytes.count else {
                throw .corrupt(format, detail: "data in a box that it does not have")
            }
            guard extent.offset <= space.count, extent.byteCount <= space.count - extent.offset else {
                throw .truncated(format, detail: "the data of its item \(item) are not all there")
            }
            let start = space.lowerBound + extent.offset
            ranges.append(start..<(extent.byteCount == 0 ? space.upperBound : start + extent.byteCount))
        }
        return ranges
    }

    private mutating func readTypes(_ reader: inout ByteReader) throws(ImagingError) {
        let hasShortCount = try reader.version().version == 0
        for _ in 0..<(try reader.bigEndian(byteCount: hasShortCount ? 2 : 4)) {
            var box = try reader.box()
            guard box.type == "infe" else { continue }
            let version = try box.contents.version().version
            // Older versions know media types only.
            guard version >= 2 else { continue }
            let item = try box.contents.bigEndian(byteCount: version == 2 ? 2 : 4)
            try box.contents.skip(2)
            types[item] = try box.contents.name()
        }
    }

    private mutating func readReferences(_ reader: inout ByteReader) throws(ImagingError) {
        let byteCount = try reader.version().version == 0 ? 2 : 4
        while reader.remainingCount > 0 {
            var box = try reader.box()
            guard box.type == "dimg" else { continue }
            let item = try box.contents.bigEndian(byteCount: byteCount)
            for _ in 0..<(try box.contents.bigEndian(byteCount: 2)) {
                tiles[item, default: []].append(try box.contents.bigEndian(byteCount: byteCount))
            }
        }
    }

    private mutating func readLocations(_ reader: inout ByteReader) throws(ImagingError) {
        let version = try reader.version().version
        let sizes = try reader.bigEndian(byteCount: 2)
        let (offsetSize, lengthSize, baseSize) = (sizes >> 12, sizes >> 8 & 0xF, sizes >> 4 & 0xF)
        let indexSize = version == 0 ? 0 : sizes & 0xF
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw .corrupt(format, detail: "numbers of a size that it cannot have")
        }
        for _ in 0..<(try reader.bigEndian(byteCount: version < 2 ? 2 : 4)) {
            let item = try reader.bigEndian(byteCount: version < 2 ? 2 : 4)
            let method = version == 0 ? 0 : try reader.bigEndian(byteCount: 2) & 0xF
            // Where other files could be named.
            try reader.skip(2)
            let base = try reader.bigEndian(byteCount: baseSize)
            for _ in 0..<(try reader.bigEndian(byteCount: 2)) {
                try reader.skip(indexSize)
                let offset = base.addingReportingOverflow(try reader.bigEndian(byteCount: offsetSize))
                let byteCount = try reader.bigEndian(byteCount: lengthSize)
                guard base >= 0, !offset.overflow, offset.partialValue >= base, byteCount >= 0 else {
                    throw .corrupt(format, detail: "data at a place that no file has")
                }
                extents[item, default: []].append(
                    Extent(offset: offset.partialValue, byteCount: byteCount, isInsideMeta: method == 1)
                )
            }
        }
    }
}
