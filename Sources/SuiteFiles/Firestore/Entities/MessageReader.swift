// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Reads protocol-buffer fields in place, groups among them.
///
/// Trusts no length: damaged bytes throw, they do not trap.
struct MessageReader {
    /// How deep groups may nest that are passed over.
    private static let groupDepthMax = 16

    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    /// The next field's tag; `nil` at the end.
    mutating func nextTag() throws(EntityFault) -> UInt64? {
        guard !rest.isEmpty else { return nil }
        let tag = try nextVarint()
        guard tag <= UInt32.max, tag >> 3 != 0 else { throw .malformed }
        return tag
    }

    mutating func nextVarint() throws(EntityFault) -> UInt64 {
        if let byte = rest.first, byte < 0x80 {
            rest = UnsafeRawBufferPointer(rebasing: rest[1...])
            return UInt64(byte)
        }
        var number: UInt64 = 0
        for index in 0..<min(rest.count, 10) {
            let byte = rest[index]
            number |= UInt64(byte & 0x7F) << UInt64(7 * index)
            guard byte >= 0x80 else {
                rest = UnsafeRawBufferPointer(rebasing: rest[(index + 1)...])
                return number
            }
        }
        throw .malformed
    }

    mutating func nextInteger() throws(EntityFault) -> Int64 { Int64(bitPattern: try nextVarint()) }

    mutating func nextDouble() throws(EntityFault) -> Double {
        Double(bitPattern: UInt64(littleEndian: try next(8).loadUnaligned(as: UInt64.self)))
    }

    /// The content of a field that begins with its length.
    mutating func nextContent() throws(EntityFault) -> UnsafeRawBufferPointer {
        let count = try nextVarint()
        guard count <= UInt64(rest.count) else { throw .malformed }
        return try next(Int(count))
    }

    /// The content of a field that has to be UTF-8.
    mutating func nextText() throws(EntityFault) -> String {
        guard let text = String(validUTF8: try nextContent()) else { throw EntityFault(reason: "a text is not UTF-8") }
        return text
    }

    /// Passes over a field that this version does not read.
    mutating func skip(_ tag: UInt64) throws(EntityFault) { try skip(tag, depth: Self.groupDepthMax) }

    private mutating func skip(_ tag: UInt64, depth: Int) throws(EntityFault) {
        switch tag & 7 {
        case EntityTag.varint: _ = try nextVarint()
        case EntityTag.eightBytes: _ = try next(8)
        case EntityTag.delimited: _ = try nextContent()
        case EntityTag.fourBytes: _ = try next(4)
        case EntityTag.groupBegin where depth > 0: try skipGroup(endingWith: tag + 1, depth: depth - 1)
        default: throw .malformed
        }
    }

    private mutating func skipGroup(endingWith end: UInt64, depth: Int) throws(EntityFault) {
        while let tag = try nextTag() {
            if tag == end { return }
            try skip(tag, depth: depth)
        }
        throw .malformed
    }

    private mutating func next(_ count: Int) throws(EntityFault) -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw .malformed }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }
}
