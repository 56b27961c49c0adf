// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A document's fields as they are stored and sent: the `fields` entries of `google.firestore.v1.Document`.
package struct EncodedFields: Sendable, Hashable {
    /// In the order of the names' UTF-8 bytes; equal fields have equal bytes.
    package let bytes: [UInt8]

    /// For bytes that `FieldsEncoder` wrote.
    package init(stored bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ fields: [String: Value]) {
        self.bytes = FieldsEncoder.encode(fields)
    }

    /// All fields.
    ///
    /// - Throws: `FirestoreError` (data loss) for bytes damaged in the file.
    package func decoded() throws -> [String: Value] {
        try FieldsDecoder.decode(bytes)
    }

    /// The value at a path, decoding no other; `nil` when a field on the way is missing or is not a map.
    ///
    /// - Throws: `FirestoreError` (data loss) for bytes damaged in the file.
    package func value(at path: FieldPath) throws -> Value? {
        try bytes.withUnsafeBytes { try FieldsDecoder.value(at: path, in: $0) }
    }

    /// The value of a field of the document, decoding no other; `nil` when it is missing.
    ///
    /// - Throws: `FirestoreError` (data loss) for bytes damaged in the file.
    package func value(named name: String) throws -> Value? {
        try bytes.withUnsafeBytes { try FieldsDecoder.value(named: name, in: $0) }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { left.hasSameBytes(as: $0) } }
    }

    /// Looks whether there is one field after the other up to the end, and into none of them.
    ///
    /// - Throws: `FirestoreError` (data loss) for bytes damaged in the file.
    func checkEntries() throws {
        try bytes.withUnsafeBytes { content in
            var reader = WireReader(content)
            while let tag = try reader.nextTag() {
                guard tag == WireTag.documentField else { throw FirestoreError.corrupted("a document") }
                _ = try reader.nextContent()
            }
        }
    }
}
