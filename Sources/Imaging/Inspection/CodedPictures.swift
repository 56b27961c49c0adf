// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The pictures of a HEIF file that are coded, and those put together of them, before a decoder takes memory for them.
struct CodedPictures {
    /// Coders round sides up, and tiles reach beyond the picture at its right and lower side.
    private static let codedPixelCountMax = 2 * ImageLimits.pixelCountMax
    /// Items may share data, such as tiles of one color.
    private static let readsOfEachByteMax = 4

    private let bytes: [UInt8]
    private let format: ImageFormat
    private let items: HEIFItems

    init(_ bytes: [UInt8], format: ImageFormat) throws(ImagingError) {
        self.bytes = bytes
        self.format = format
        items = try HEIFStructure.items(of: bytes, format: format)
    }

    /// Refuses what the decoder could not be given: kinds of pictures that are not known here, and those beyond the limits.
    func checkSizes() throws(ImagingError) {
        let primaryType = items.types[items.header.primaryItem ?? 0] ?? ""
        guard ["hvc1", "av01", "grid"].contains(primaryType) else {
            throw .unsupported(format, detail: "its picture is of the kind '\(primaryType)'")
        }
        let pixelCounts = try codedPixelCounts()
        for item in items.types.keys {
            switch items.types[item] {
            case "grid": try checkGrid(item, pixelCounts: pixelCounts)
            // They may be of any pictures, and of each other.
            case "iden", "iovl": throw .unsupported(format, detail: "it has a picture that is made of others")
            default: continue
            }
        }
    }

    private func checkGrid(_ item: Int, pixelCounts: [Int: Int]) throws(ImagingError) {
        var sum = 0
        for tile in items.tiles[item] ?? [] {
            guard let pixelCount = pixelCounts[tile] else { throw .corrupt(format, detail: "a tile that it lacks") }
            sum += pixelCount
            guard sum <= Self.codedPixelCountMax else {
                throw .corrupt(format, detail: "its tiles are far larger than a picture may be")
            }
        }
        // A picture beside the primary one may have a size of its own.
        guard let size = try items.header.storedSize(of: item) else { return }
        _ = try ImageInfo(format: format, pixelWidth: size.width, pixelHeight: size.height)
    }

    /// The pixels of each coded item.
    private func codedPixelCounts() throws(ImagingError) -> [Int: Int] {
        var pixelCounts: [Int: Int] = [:]
        var remainingByteCount = Self.readsOfEachByteMax * bytes.count
        for (item, type) in items.types where type == "hvc1" || type == "av01" {
            let ranges = try items.ranges(of: item, in: bytes)
            remainingByteCount -= ranges.reduce(0) { $0 + $1.count }
            guard remainingByteCount >= 0 else {
                throw .corrupt(format, detail: "its items are far longer than it is")
            }
            let sizes = try configuredSizes(of: item) + codedSizes(in: ranges, type: type)
            for size in sizes where size.width > Self.codedPixelCountMax / max(1, size.height) {
                throw .tooLarge(width: size.width, height: size.height)
            }
            pixelCounts[item] = sizes.map { $0.width * $0.height }.max() ?? 0
        }
        return pixelCounts
    }

    private func configuredSizes(of item: Int) throws(ImagingError) -> [(width: Int, height: Int)] {
        var sizes: [(width: Int, height: Int)] = []
        for property in try items.header.properties(of: item) {
            var contents = property.contents
            switch property.type {
            case "hvcC": sizes += try CodedPictureSize.ofHEVCConfiguration(&contents)
            case "av1C":
                try contents.skip(4)
                sizes += try CodedPictureSize.ofAV1(&contents)
            default: continue
            }
        }
        return sizes
    }

    private func codedSizes(
        in ranges: [Range<Int>],
        type: String
    ) throws(ImagingError) -> [(width: Int, height: Int)] {
        var reader =
            if let range = ranges.first, ranges.count == 1 {
                ByteReader(bytes, format: format, offset: range.lowerBound, end: range.upperBound)
            } else {
                ByteReader(ranges.flatMap { bytes[$0] }, format: format, offset: 0)
            }
        return type == "hvc1" ? try CodedPictureSize.ofHEVC(&reader) : try CodedPictureSize.ofAV1(&reader)
    }
}
