// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Checks the fields of an imported document, and brings them into the form in which they are stored.
enum ImportedFields {
    /// Returns the fields as `FieldsEncoder` writes them.
    ///
    /// Vectors may be in arrays, which the official emulator stores.
    ///
    /// - Throws: `FirestoreError` or `EntityFault` for fields that no document may have.
    static func checked(_ bytes: [UInt8], at path: DocumentPath, in database: DatabaseID) throws -> EncodedFields {
        let plain = bytes.withUnsafeBytes { try? PlainFields.read(fromDocument: $0)?.fields }
        if let plain {
            try requireSize(plain.byteCount, at: path)
            return plain.encoded
        }
        let fields = try FieldsDecoder.decode(bytes)
        let comparable = fields.mapValues(\.withoutVectorsInArrays)
        try FieldValidator.validate(comparable, allowsBSON: database.hasBSON)
        try requireSize(DocumentSize.byteCount(of: fields), at: path)
        return EncodedFields(fields)
    }

    private static func requireSize(_ fieldsByteCount: Int, at path: DocumentPath) throws {
        let byteCount = DocumentSize.byteCount(ofFields: fieldsByteCount, at: path)
        guard byteCount <= DocumentLimits.documentByteCountMax else {
            throw EntityFault(reason: "it has \(byteCount) bytes; the limit is \(DocumentLimits.documentByteCountMax)")
        }
    }
}

extension Value {
    /// The value as `FieldValidator` would see it if arrays could hold vectors.
    fileprivate var withoutVectorsInArrays: Value {
        switch self {
        case .array(let elements):
            .array(elements.map { if case .vector = $0 { .null } else { $0.withoutVectorsInArrays } })
        case .map(let fields): .map(fields.mapValues(\.withoutVectorsInArrays))
        case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .reference, .geoPoint, .vector: self
        }
    }
}
