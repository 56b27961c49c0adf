// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The primary picture of a HEIF file and the properties of all of its items (ISO/IEC 23008-12:2022, sections 6.5 and 9.3).
struct HEIFHeader {
    /// libheif's limit of boxes in a box (`MAX_CHILDREN_PER_BOX`, 1.15.1); the standard has none.
    static let boxCountMax = 20_000

    let format: ImageFormat
    private(set) var primaryItem: Int?
    private(set) var properties: [HEIFBox] = []
    /// The properties of each item in the order in which they are applied, counted from 1.
    private(set) var associations: [Int: [Int]] = [:]

    init(format: ImageFormat) { self.format = format }

    mutating func read(_ box: HEIFBox) throws(ImagingError) {
        var contents = box.contents
        switch box.type {
        case "pitm": primaryItem = try contents.bigEndian(byteCount: try contents.version().version == 0 ? 2 : 4)
        case "iprp": while contents.remainingCount > 0 { try readProperties(try contents.box()) }
        default: break
        }
    }

    private mutating func readProperties(_ box: HEIFBox) throws(ImagingError) {
        var contents = box.contents
        switch box.type {
        case "ipco":
            while contents.remainingCount > 0 {
                guard properties.count < Self.boxCountMax else { throw .corrupt(format, detail: "too many properties") }
                properties.append(try contents.box())
            }
        case "ipma": try readAssociations(&contents)
        default: break
        }
    }

    private mutating func readAssociations(_ reader: inout ByteReader) throws(ImagingError) {
        let (version, flags) = try reader.version()
        for _ in 0..<(try reader.bigEndian(byteCount: 4)) {
            let item = try reader.bigEndian(byteCount: version == 0 ? 2 : 4)
            for _ in 0..<(try reader.byte()) {
                // The first bit says whether a reader must know the property.
                let number =
                    flags & 1 == 0 ? try reader.byte() & 0x7F : try reader.bigEndian(byteCount: 2) & 0x7FFF
                associations[item, default: []].append(number)
            }
        }
    }

    /// The properties of an item; a number 0 stands for none.
    func properties(of item: Int) throws(ImagingError) -> [HEIFBox] {
        var found: [HEIFBox] = []
        for number in associations[item] ?? [] where number > 0 {
            guard number <= properties.count else { throw .corrupt(format, detail: "a property that it does not have") }
            found.append(properties[number - 1])
        }
        return found
    }
}

extension HEIFHeader {
    /// The size of the primary picture before it is cut and turned.
    func storedSize() throws(ImagingError) -> (width: Int, height: Int) {
        guard let primaryItem, let size = try storedSize(of: primaryItem) else {
            throw .corrupt(format, detail: "its picture has no size")
        }
        return size
    }

    /// The size of an item before it is cut and turned; `nil` for other items than pictures.
    func storedSize(of item: Int) throws(ImagingError) -> (width: Int, height: Int)? {
        for property in try properties(of: item) where property.type == "ispe" {
            var contents = property.contents
            try contents.skip(4)
            return (try contents.bigEndian(byteCount: 4), try contents.bigEndian(byteCount: 4))
        }
        return nil
    }

    /// The size of the primary picture as it is seen: cut (`clap`) and turned (`irot`) in the order that the file says.
    func seenSize() throws(ImagingError) -> (width: Int, height: Int) {
        var (width, height) = try storedSize()
        for property in try properties(of: primaryItem ?? 0) {
            var contents = property.contents
            switch property.type {
            case "clap":
                let (cutWidth, cutHeight) = (try rounded(&contents), try rounded(&contents))
                guard (1...width).contains(cutWidth), (1...height).contains(cutHeight) else {
                    throw .corrupt(format, detail: "it is cut to \(cutWidth)x\(cutHeight)")
                }
                (width, height) = (cutWidth, cutHeight)
            case "irot" where try contents.byte() & 1 == 1: swap(&width, &height)
            default: break
            }
        }
        return (width, height)
    }

    /// A fraction, to the nearest whole number.
    private func rounded(_ reader: inout ByteReader) throws(ImagingError) -> Int {
        let (numerator, denominator) = (try reader.bigEndian(byteCount: 4), try reader.bigEndian(byteCount: 4))
        guard denominator > 0 else { throw .corrupt(format, detail: "a fraction of zero parts") }
        return (numerator + denominator / 2) / denominator
    }
}
