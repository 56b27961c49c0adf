// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// A stored document as of some moment.
///
/// Holds its fields as they are stored; whoever needs few of them asks for those, which decodes no others.
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

    /// All fields, decoded each time; none when the bytes were damaged in the file.
    package var fields: [String: Value] {
        get { (try? encodedFields.decoded()) ?? [:] }
        set { encodedFields = EncodedFields(newValue) }
    }

    /// The value at a path, decoding no other; `nil` when a field on the way is missing or no map.
    package func value(at path: FieldPath) -> Value? {
        encodedFields.value(at: path)
    }
}
