// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the segments of a path back from its key, in place.
package struct PathKeyDecoder {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package static func decode(_ bytes: [UInt8]) throws -> DocumentPath {
        let segments = try decodeSegments(bytes)
        guard !segments.isEmpty, segments.count.isMultiple(of: 2) else { throw FirestoreError.corrupted("a path") }
        return DocumentPath(validated: segments)
    }

    package static func decodeCollection(_ bytes: [UInt8]) throws -> CollectionPath {
        let segments = try decodeSegments(bytes)
        guard !segments.count.isMultiple(of: 2) else { throw FirestoreError.corrupted("a path") }
        return CollectionPath(validated: segments)
    }

    private static func decodeSegments(_ bytes: [UInt8]) throws -> [String] {
        try bytes.withUnsafeBytes { content in
            var decoder = PathKeyDecoder(content)
            var segments: [String] = []
            while let segment = try decoder.nextSegment() {
                segments.append(segment)
            }
            return segments
        }
    }

    /// The next segment; `nil` at the end of the path.
    package mutating func nextSegment() throws -> String? {
        guard position < bytes.count else { return nil }
        position += 1
        switch bytes[position - 1] {
        case 0: return nil
        case PathTag.number: return "__id\(try nextNumber())__"
        case PathTag.string: return try nextString()
        default: throw FirestoreError.corrupted("a path")
        }
    }

    private mutating func nextNumber() throws -> Int64 {
        guard bytes.count - position >= 8 else { throw FirestoreError.corrupted("a path") }
        let bits = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        position += 8
        return Int64(bitPattern: bits ^ (1 << 63))
    }

    private mutating func nextString() throws -> String {
        var content: [UInt8] = []
        while let zero = nextZero(), zero + 1 < bytes.count {
            let piece = bytes[position..<zero]
            position = zero + 2
            switch bytes[zero + 1] {
            case 0xFF:
                content += piece
                content.append(0)
            case 1:
                guard !content.isEmpty else { return String(decoding: piece, as: UTF8.self) }
                return String(decoding: content + piece, as: UTF8.self)
            default: throw FirestoreError.corrupted("a path")
            }
        }
        throw FirestoreError.corrupted("a path")
    }

    private func nextZero() -> Int? {
        UnsafeRawBufferPointer(rebasing: bytes[position...]).firstPlace(of: 0).map { position + $0 }
    }
}
