// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The orientation in an EXIF segment (CIPA DC-008-2023, section 4.6.4: tag 0x0112 of the 0th IFD).
enum EXIFOrientation {
    private static let tag = 0x0112

    private static let name = Array("Exif\0\0".utf8)

    /// Finds the orientation, 1 to 8, in the contents of a JPEG's segment; `nil` where there is none that can be read.
    static func find(in segment: ArraySlice<UInt8>) -> Int? {
        segment.starts(with: name) ? find(inChunk: segment) : nil
    }

    /// Finds it in the contents of a PNG's or WebP's chunk, which need no name of its own.
    static func find(inChunk contents: ArraySlice<UInt8>) -> Int? {
        let tiff = Array(contents.starts(with: name) ? contents.dropFirst(name.count) : contents)
        guard tiff.count >= 8 else { return nil }
        let isLittleEndian = tiff[0] == UInt8(ascii: "I")
        func number(at offset: Int, byteCount: Int) -> Int? {
            guard offset >= 0, offset <= tiff.count - byteCount else { return nil }
            let bytes = tiff[offset..<offset + byteCount]
            return isLittleEndian
                ? bytes.reversed().reduce(0) { $0 << 8 | Int($1) } : bytes.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, byteCount: 4), let count = number(at: directory, byteCount: 2) else {
            return nil
        }
        for entry in 0..<count {
            let offset = directory + 2 + 12 * entry
            guard let found = number(at: offset, byteCount: 2) else { return nil }
            guard found == tag else { continue }
            return number(at: offset + 8, byteCount: 2).flatMap { (1...8).contains($0) ? $0 : nil }
        }
        return nil
    }
}
