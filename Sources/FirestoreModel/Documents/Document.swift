// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A stored document as of some moment.
///
/// Holds its fields as they are stored; callers that need few of them ask for those, which decodes no others.
package struct Document: Sendable, Equatable {
    package var path: DocumentPath
    package var encodedFields: EncodedFields
    package var createTime: Timestamp
    package var updateTime: Timestamp

    package init(path: DocumentPath, fields: [String: Value], createTime: Timestamp, updateTime: Timestamp) {
        self.init(path: path, encodedFields: EncodedFields(fields), createTime: createTime, updateTime: updateTime)
    }

    package init(path: DocumentPath, encodedFields: EncodedFields, createTime: Timestamp, updateTime: Timestamp) {
        self.path = path
        self.encodedFields = encodedFields
        self.createTime = createTime
        self.updateTime = updateTime
    }

    /// All fields, decoded each time.
    ///
    /// - Throws: `FirestoreError` (data loss) with the document's name, for bytes damaged in the file.
    package var fields: [String: Value] {
        get throws { try namingDamage { try encodedFields.decoded() } }
    }

    /// The value at a path, decoding no other; `nil` when a field on the way is missing or is not a map.
    ///
    /// - Throws: `FirestoreError` (data loss) with the document's name, for bytes damaged in the file.
    package func value(at path: FieldPath) throws -> Value? {
        try namingDamage { try encodedFields.value(at: path) }
    }

    /// The fields as they are stored, to be sent undecoded.
    ///
    /// - Throws: `FirestoreError` (data loss) with the document's name, where the fields do not follow one another.
    package var sentFields: [UInt8] {
        get throws {
            try namingDamage { try encodedFields.checkEntries() }
            return encodedFields.bytes
        }
    }

    private func namingDamage<Result>(_ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch {
            throw FirestoreError.damaged(path)
        }
    }
}

extension Document {
    /// The document with only the masked fields; all of them without a mask.
    package func selecting(_ mask: DocumentMask?) throws -> Document {
        guard let mask else { return self }
        var selected: [String: Value] = [:]
        for path in mask.fieldPaths {
            if let value = try value(at: path) {
                selected.set(value, at: path)
            }
        }
        return Document(path: path, fields: selected, createTime: createTime, updateTime: updateTime)
    }
}

/// The fields of a document to return or to change.
///
/// Empty, or naming only `__name__`, it selects no field: only the document's name and times.
package struct DocumentMask: Sendable, Equatable {
    package var fieldPaths: [FieldPath]

    package init(_ fieldPaths: [FieldPath]) {
        self.fieldPaths = fieldPaths
    }

    /// Parses each path as `FieldPath(parsing:)` does, and refuses those that no request may name.
    package init(parsing fieldPaths: [String]) throws {
        self.fieldPaths = try fieldPaths.map { text in
            let path = try FieldPath(parsing: text)
            try path.validate()
            return path
        }
    }
}
