// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads the segments of a path back from its key.
struct PathKeyDecoder {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.rest = bytes[...]
    }

    static func decode(_ bytes: [UInt8]) throws -> DocumentPath {
        var decoder = PathKeyDecoder(bytes)
        var segments: [String] = []
        while let segment = try decoder.nextSegment() {
            segments.append(segment)
        }
        guard !segments.isEmpty, segments.count.isMultiple(of: 2) else { throw DocumentStoreError.corrupted("a path") }
        return DocumentPath(validated: segments)
    }

    /// The next segment; `nil` at the end of the path.
    mutating func nextSegment() throws -> String? {
        switch rest.popFirst() {
        case 0, nil: return nil
        case PathTag.number: return "__id\(try nextNumber())__"
        case PathTag.string: return try nextString()
        default: throw DocumentStoreError.corrupted("a path")
        }
    }

    private mutating func nextNumber() throws -> Int64 {
        guard rest.count >= 8 else { throw DocumentStoreError.corrupted("a path") }
        let bits = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest.removeFirst(8)
        return Int64(bitPattern: bits ^ (1 << 63))
    }

    private mutating func nextString() throws -> String {
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == 0 else {
                content.append(byte)
                continue
            }
            switch rest.popFirst() {
            case 0xFF: content.append(0)
            case 1: return String(decoding: content, as: UTF8.self)
            default: throw DocumentStoreError.corrupted("a path")
            }
        }
        throw DocumentStoreError.corrupted("a path")
    }
}
