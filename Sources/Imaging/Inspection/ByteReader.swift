// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a file's structure from front to back; whatever lies beyond the end is a truncation.
struct ByteReader {
    private let bytes: [UInt8]
    private let format: ImageFormat
    private(set) var offset: Int

    init(_ bytes: [UInt8], format: ImageFormat, offset: Int) {
        self.bytes = bytes
        self.format = format
        self.offset = offset
    }

    var remainingCount: Int { bytes.count - offset }

    mutating func skip(_ count: Int) throws(ImagingError) {
        guard count <= remainingCount else {
            let missing = count - remainingCount
            throw .truncated(
                format,
                detail: "at least \(missing) of its bytes are missing after the first \(bytes.count)"
            )
        }
        offset += count
    }

    /// The next bytes, up to `count` of them.
    func peek(_ count: Int) -> ArraySlice<UInt8> { bytes[offset...].prefix(count) }

    mutating func byte() throws(ImagingError) -> Int {
        try skip(1)
        return Int(bytes[offset - 1])
    }

    mutating func bigEndian(byteCount: Int) throws(ImagingError) -> Int {
        try skip(byteCount)
        return bytes[(offset - byteCount)..<offset].reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func littleEndian(byteCount: Int) throws(ImagingError) -> Int {
        try skip(byteCount)
        return bytes[(offset - byteCount)..<offset].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// A chunk's four-letter name; bytes beyond ASCII are replaced.
    mutating func name() throws(ImagingError) -> String {
        try skip(4)
        return String(decoding: bytes[(offset - 4)..<offset], as: UTF8.self)
    }
}
