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
        guard tag <= UInt32.max else { throw FirestoreError.corrupted("a tag") }
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
        throw FirestoreError.corrupted("a number")
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
        guard length <= UInt64(rest.count) else { throw FirestoreError.corrupted("a document") }
        return try next(Int(length))
    }

    package mutating func nextText() throws -> String {
        String(decoding: try nextContent(), as: UTF8.self)
    }

    /// Text that has to be UTF-8, as the protocol requires of clients.
    package mutating func nextValidText() throws -> String {
        guard let text = String(validUTF8: try nextContent()) else { throw FirestoreError.corrupted("a text") }
        return text
    }

    /// Passes over the content of a field.
    package mutating func skip(_ tag: UInt64) throws {
        guard tag >> 3 != 0 else { throw FirestoreError.corrupted("a document") }
        switch tag & 7 {
        case WireTag.varint: _ = try nextVarint()
        case WireTag.eightBytes: _ = try next(8)
        case WireTag.delimited: _ = try nextContent()
        case WireTag.fourBytes: _ = try next(4)
        default: throw FirestoreError.corrupted("a document")
        }
    }

    @inline(__always)
    private mutating func next(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw FirestoreError.corrupted("a document") }
        defer { rest = Self.dropping(count, of: rest) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    private static func dropping(_ count: Int, of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[count...])
    }
}

/// The tags of `google.firestore.v1.Value` and the messages in it: a field's number and its wire type.
///
/// Source: googleapis `google/firestore/v1/document.proto`; protobuf.dev/programming-guides/encoding (2026-11).
package enum WireTag {
    // Value: exactly one of these.
    package static let boolean: UInt64 = 1 << 3 | varint
    package static let integer: UInt64 = 2 << 3 | varint
    package static let double: UInt64 = 3 << 3 | eightBytes
    package static let reference: UInt64 = 5 << 3 | delimited
    package static let map: UInt64 = 6 << 3 | delimited
    package static let geoPoint: UInt64 = 8 << 3 | delimited
    package static let array: UInt64 = 9 << 3 | delimited
    package static let timestamp: UInt64 = 10 << 3 | delimited
    package static let null: UInt64 = 11 << 3 | varint
    package static let string: UInt64 = 17 << 3 | delimited
    package static let bytes: UInt64 = 18 << 3 | delimited

    // Document.
    package static let documentName: UInt64 = 1 << 3 | delimited
    package static let documentField: UInt64 = 2 << 3 | delimited
    package static let documentCreateTime: UInt64 = 3 << 3 | delimited
    package static let documentUpdateTime: UInt64 = 4 << 3 | delimited
    /// `Write.update`.
    package static let writeUpdate: UInt64 = 1 << 3 | delimited
    /// `CommitRequest.writes`.
    package static let commitWrite: UInt64 = 2 << 3 | delimited
    /// `CommitRequest.database` and `transaction`.
    package static let commitDatabase: UInt64 = 1 << 3 | delimited
    package static let commitTransaction: UInt64 = 3 << 3 | delimited
    /// `CommitResponse.write_results` and `commit_time`.
    package static let commitWriteResult: UInt64 = 1 << 3 | delimited
    package static let commitTime: UInt64 = 2 << 3 | delimited
    /// `WriteResult.update_time`.
    package static let writeResultUpdateTime: UInt64 = 1 << 3 | delimited
    /// `BatchGetDocumentsRequest.database` and `documents`.
    package static let batchGetDatabase: UInt64 = 1 << 3 | delimited
    package static let batchGetDocument: UInt64 = 2 << 3 | delimited
    /// `MapValue.fields` and `ArrayValue.values`.
    package static let member: UInt64 = 1 << 3 | delimited
    /// The parts of a map's entry.
    package static let key: UInt64 = 1 << 3 | delimited
    package static let value: UInt64 = 2 << 3 | delimited
    /// `Timestamp`.
    package static let seconds: UInt64 = 1 << 3 | varint
    package static let nanoseconds: UInt64 = 2 << 3 | varint
    /// `LatLng`.
    package static let latitude: UInt64 = 1 << 3 | eightBytes
    package static let longitude: UInt64 = 2 << 3 | eightBytes

    // Wire types.
    package static let varint: UInt64 = 0
    static let eightBytes: UInt64 = 1
    package static let delimited: UInt64 = 2
    static let fourBytes: UInt64 = 5
}

/// How the protocol writes a vector: as a map of two fields, one of which has a name no client may use.
enum VectorMap {
    package static let typeName = "__type__"
    package static let type = "__vector__"
    static let valueName = "value"
}
