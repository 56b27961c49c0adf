// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The size for which a decoder takes memory: that in the coded data, whatever the file says around them.
enum CodedPictureSize {
    /// More bytes than a parameter set has before its sizes.
    private static let parameterByteCountMax = 256

    /// Reads the sizes of the sequence parameter sets among an item's NAL units, each after its length in four bytes.
    static func ofHEVC(_ reader: inout ByteReader) throws(ImagingError) -> [(width: Int, height: Int)] {
        var sizes: [(width: Int, height: Int)] = []
        while reader.remainingCount > 0 {
            if let size = try hevcSize(of: try reader.part(try reader.bigEndian(byteCount: 4))) { sizes.append(size) }
        }
        return sizes
    }

    /// Reads those of a decoder configuration (ISO/IEC 14496-15:2022, section 8.3.2.1).
    static func ofHEVCConfiguration(_ reader: inout ByteReader) throws(ImagingError) -> [(width: Int, height: Int)] {
        var sizes: [(width: Int, height: Int)] = []
        try reader.skip(21)
        // libheif takes lengths in the data to have four bytes, whatever is said here.
        guard try reader.byte() & 3 == 3 else {
            throw .unsupported(reader.format, detail: "its lengths are not of four bytes")
        }
        for _ in 0..<(try reader.byte()) {
            try reader.skip(1)
            for _ in 0..<(try reader.bigEndian(byteCount: 2)) {
                if let size = try hevcSize(of: try reader.part(try reader.bigEndian(byteCount: 2))) {
                    sizes.append(size)
                }
            }
        }
        return sizes
    }

    /// The size in a NAL unit; `nil` for one of another kind.
    private static func hevcSize(of unit: ByteReader) throws(ImagingError) -> (width: Int, height: Int)? {
        var unit = unit
        guard unit.remainingCount >= 2, try unit.bigEndian(byteCount: 2) >> 9 & 0x3F == 33 else { return nil }
        guard let size = parameterSetSize(unit.peek(parameterByteCountMax)) else {
            throw .corrupt(unit.format, detail: "parameters without a size")
        }
        return size
    }

    /// Reads a sequence parameter set (ITU-T H.265, section 7.3.2.2) behind its header of two bytes.
    private static func parameterSetSize(_ bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
        var bits = BitReader(withoutEmulationPrevention(bytes))
        bits.skip(bitCount: 4)
        guard let sublayerCount = bits.number(bitCount: 3) else { return nil }
        bits.skip(bitCount: 1 + 88 + 8)
        var skippedBitCount = 0
        if sublayerCount > 0 {
            for layer in 0..<8 {
                guard let flags = bits.number(bitCount: 2) else { return nil }
                guard layer < sublayerCount else { continue }
                skippedBitCount += (flags & 2 == 0 ? 0 : 88) + (flags & 1 == 0 ? 0 : 8)
            }
        }
        bits.skip(bitCount: skippedBitCount)
        guard bits.exponentialGolomb() != nil, let chroma = bits.exponentialGolomb() else { return nil }
        if chroma == 3 { bits.skip(bitCount: 1) }
        guard let width = bits.exponentialGolomb(), let height = bits.exponentialGolomb() else { return nil }
        return (width, height)
    }

    /// A unit's bytes without each 3 that keeps two zeros from looking like a start code (ITU-T H.265, section 7.4.2).
    private static func withoutEmulationPrevention(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var zeroCount = 0
        return bytes.filter { byte in
            let isKept = zeroCount < 2 || byte != 3
            zeroCount = byte == 0 ? zeroCount + 1 : 0
            return isKept
        }
    }
}

extension CodedPictureSize {
    /// Reads the sizes of the sequence headers among AV1's open bitstream units (AV1 Specification 1.0.0, section 5.3).
    static func ofAV1(_ reader: inout ByteReader) throws(ImagingError) -> [(width: Int, height: Int)] {
        var sizes: [(width: Int, height: Int)] = []
        while reader.remainingCount > 0 {
            let header = try reader.byte()
            if header & 0x04 != 0 { try reader.skip(1) }
            // A unit without a length is the last.
            let unit = try reader.part(header & 0x02 == 0 ? reader.remainingCount : try length(&reader))
            guard header >> 3 & 0xF == 1 else { continue }
            guard let size = sequenceSize(Array(unit.peek(parameterByteCountMax))) else {
                throw .corrupt(reader.format, detail: "a sequence without a size")
            }
            sizes.append(size)
        }
        return sizes
    }

    /// Seven bits a byte, the lowest first (`leb128`).
    private static func length(_ reader: inout ByteReader) throws(ImagingError) -> Int {
        var length = 0
        for index in 0..<8 {
            let byte = try reader.byte()
            length |= (byte & 0x7F) << (7 * index)
            if byte < 0x80 { break }
        }
        return length
    }

    /// Reads a sequence header (section 5.5).
    private static func sequenceSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        var bits = BitReader(bytes)
        bits.skip(bitCount: 4)
        guard let isReduced = bits.flag() else { return nil }
        if isReduced {
            bits.skip(bitCount: 5)
        } else {
            guard skipOperatingPoints(&bits) else { return nil }
        }
        guard let widthBitCount = bits.number(bitCount: 4), let heightBitCount = bits.number(bitCount: 4),
            let width = bits.number(bitCount: widthBitCount + 1), let height = bits.number(bitCount: heightBitCount + 1)
        else { return nil }
        return (width + 1, height + 1)
    }

    private static func skipOperatingPoints(_ bits: inout BitReader) -> Bool {
        var delayBitCount: Int?
        guard let hasTiming = bits.flag() else { return false }
        if hasTiming {
            bits.skip(bitCount: 64)
            guard let hasEqualIntervals = bits.flag() else { return false }
            if hasEqualIntervals { _ = bits.exponentialGolomb() }
            guard let hasModel = bits.flag() else { return false }
            if hasModel {
                guard let count = bits.number(bitCount: 5) else { return false }
                delayBitCount = count + 1
                bits.skip(bitCount: 32 + 5 + 5)
            }
        }
        guard let hasDelays = bits.flag(), let lastPoint = bits.number(bitCount: 5) else { return false }
        for _ in 0...lastPoint {
            bits.skip(bitCount: 12)
            guard let level = bits.number(bitCount: 5) else { return false }
            if level > 7 { bits.skip(bitCount: 1) }
            if let delayBitCount, bits.flag() == true { bits.skip(bitCount: 2 * delayBitCount + 1) }
            if hasDelays, bits.flag() == true { bits.skip(bitCount: 4) }
        }
        return true
    }
}
