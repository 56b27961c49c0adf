// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Reads protocol-buffer fields in place.
///
/// Trusts no length: damaged bytes throw, they do not trap.
package struct WireReader {
    private var rest: UnsafeRawBufferPointer

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.rest = bytes
    }

    /// The next field's tag; `nil` at the end.
    package mutating func nextTag() throws -> UInt64? {
        guard !rest.isEmpty else { return nil }
        let tag = try nextVarint()
        guard tag <= UInt32.max else { throw DocumentStoreError.corrupted("a tag") }
        return tag
    }

    @inline(__always)
    mutating func nextVarint() throws -> UInt64 {
        // Most are of one byte.
        if let byte = rest.first, byte < 0x80 {
            rest = Self.dropping(1, of: rest)
            return UInt64(byte)
        }
        return try nextLongVarint()
    }

    private mutating func nextLongVarint() throws -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for index in 0..<min(rest.count, 10) {
            let byte = rest[index]
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                rest = Self.dropping(index + 1, of: rest)
                return number
            }
            shift += 7
        }
        throw DocumentStoreError.corrupted("a number")
    }

    mutating func nextInteger() throws -> Int64 {
        Int64(bitPattern: try nextVarint())
    }

    mutating func nextDouble() throws -> Double {
        let bits = try next(8).loadUnaligned(as: UInt64.self)
        return Double(bitPattern: UInt64(littleEndian: bits))
    }

    /// The content of a field that begins with its length.
    @inline(__always)
    package mutating func nextContent() throws -> UnsafeRawBufferPointer {
        let length = try nextVarint()
        guard length <= UInt64(rest.count) else { throw DocumentStoreError.corrupted("a document") }
        return try next(Int(length))
    }

    package mutating func nextText() throws -> String {
        String(decoding: try nextContent(), as: UTF8.self)
    }

    /// Text that has to be UTF-8, as the protocol requires of clients.
    package mutating func nextValidText() throws -> String {
        guard let text = String(validUTF8: try nextContent()) else { throw DocumentStoreError.corrupted("a text") }
        return text
    }

    /// Passes over the content of a field.
    package mutating func skip(_ tag: UInt64) throws {
        guard tag >> 3 != 0 else { throw DocumentStoreError.corrupted("a document") }
        switch tag & 7 {
        case WireTag.varint: _ = try nextVarint()
        case WireTag.eightBytes: _ = try next(8)
        case WireTag.delimited: _ = try nextContent()
        case WireTag.fourBytes: _ = try next(4)
        default: throw DocumentStoreError.corrupted("a document")
        }
    }

    @inline(__always)
    private mutating func next(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw DocumentStoreError.corrupted("a document") }
        defer { rest = Self.dropping(count, of: rest) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    private static func dropping(_ count: Int, of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[count...])
    }
}
