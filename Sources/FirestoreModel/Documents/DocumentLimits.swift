// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How large documents may be.
///
/// Source: cloud.google.com/firestore/quotas and the official emulator 1.19.9 (2026-11).
package enum DocumentLimits {
    package static let documentByteCountMax = 1_048_576
    /// Of one string or byte sequence: a document's size less 89 bytes.
    package static let valueByteCountMax = documentByteCountMax - 89
    /// How deep maps and arrays may nest.
    package static let depthMax = 20
    static let vectorDimensionMax = 2_048
    /// Of a document's name as its storage counts it: an empty document with a path of 6,127 bytes passes in
    /// production, one of 6,128 does not (recorded 2026-09).
    package static let nameByteCountMax = 6_144
    /// Transforms of one write: 500 pass in production, 501 do not (recorded 2026-09).
    package static let transformCountMax = 500
}

/// A document's size as Firestore counts it for its limits and its storage.
///
/// Source: cloud.google.com/firestore/native/docs/storage-size (2026-11).
package enum DocumentSize {
    package static func byteCount(of fields: [String: Value], at path: DocumentPath) -> Int {
        byteCount(ofFields: byteCount(of: fields), at: path)
    }

    /// The size of a document whose fields have a size.
    package static func byteCount(ofFields fieldsByteCount: Int, at path: DocumentPath) -> Int {
        byteCount(of: path) + fieldsByteCount + 32
    }

    /// The size of a document's name.
    package static func byteCount(of path: DocumentPath) -> Int {
        path.segments.reduce(16) { $0 + $1.utf8.count + 1 }
    }

    package static func byteCount(of fields: [String: Value]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf8.count + 1 + byteCount(of: $1.value) }
    }

    package static func byteCount(of value: Value) -> Int {
        switch value {
        case .null, .boolean: 1
        case .integer, .double, .timestamp: 8
        case .string(let text): text.utf8.count + 1
        case .bytes(let content): content.count
        case .reference(let reference): byteCount(of: reference.path)
        case .geoPoint: 16
        case .array(let elements): elements.reduce(0) { $0 + byteCount(of: $1) }
        case .vector(let elements): elements.count * 8
        case .map(let fields): byteCount(of: fields)
        }
    }
}
