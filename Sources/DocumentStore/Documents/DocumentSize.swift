// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A document's size as Firestore counts it for its limits and its storage.
///
/// Source: cloud.google.com/firestore/native/docs/storage-size (2026-11).
enum DocumentSize {
    package static func byteCount(of fields: [String: Value], at path: DocumentPath) -> Int {
        byteCount(ofFields: byteCount(of: fields), at: path)
    }

    /// The size of a document whose fields have a size.
    static func byteCount(ofFields fieldsByteCount: Int, at path: DocumentPath) -> Int {
        byteCount(of: path) + fieldsByteCount + 32
    }

    /// The size of a document's name.
    static func byteCount(of path: DocumentPath) -> Int {
        path.segments.reduce(16) { $0 + $1.utf8.count + 1 }
    }

    static func byteCount(of fields: [String: Value]) -> Int {
        fields.reduce(0) { $0 + $1.key.utf8.count + 1 + byteCount(of: $1.value) }
    }

    static func byteCount(of value: Value) -> Int {
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
