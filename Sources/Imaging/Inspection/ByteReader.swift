// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads a file's structure from front to back; whatever lies beyond the end is a truncation.
struct ByteReader {
    private let bytes: [UInt8]
    let format: ImageFormat
    private(set) var offset: Int
    /// The end of the file, or of the part of it that is read.
    let end: Int

    init(_ bytes: [UInt8], format: ImageFormat, offset: Int, end: Int? = nil) {
        self.bytes = bytes
        self.format = format
        self.end = end ?? bytes.count
        self.offset = min(offset, self.end)
    }

    var remainingCount: Int { end - offset }

    mutating func skip(_ count: Int) throws(ImagingError) {
        guard count >= 0 else { throw .corrupt(format, detail: "a length that no file has at byte \(offset)") }
        guard count <= remainingCount else {
            guard end == bytes.count else { throw .corrupt(format, detail: "a part of it ends early, at byte \(end)") }
            let missing = count - remainingCount
            throw .truncated(
                format,
                detail: "at least \(missing) of its bytes are missing after the first \(bytes.count)"
            )
        }
        offset += count
    }

    /// The next bytes, up to `count` of them.
    func peek(_ count: Int) -> ArraySlice<UInt8> { bytes[offset..<end].prefix(count) }

    /// Steps over a part and returns a reader of it; of one that the file cuts off, of what is there.
    mutating func part(_ count: Int) throws(ImagingError) -> ByteReader {
        let start = offset
        if count > remainingCount, end == bytes.count { offset = end } else { try skip(count) }
        return ByteReader(bytes, format: format, offset: start, end: offset)
    }

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
