// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

extension Document {
    /// The document in the wire format; its fields are sent as they are stored.
    ///
    /// - Throws: `DocumentStoreError` (data loss) for one that is damaged in the file.
    func encoded(in database: DatabaseID) throws -> [UInt8] {
        var writer = WireWriter(capacity: byteCountGuess)
        try writer.append(self, in: database)
        return writer.bytes
    }

    /// The encoded size of the document, with a name of usual length.
    var byteCountGuess: Int { encodedFields.bytes.count + 160 }
}

extension WireWriter {
    /// Appends a message with a document in one of its fields.
    ///
    /// - Throws: `DocumentStoreError` (data loss) for one that is damaged in the file.
    mutating func append(_ tag: UInt64, _ document: Document, in database: DatabaseID) throws {
        try append(tag) { try $0.append(document, in: database) }
    }

    fileprivate mutating func append(_ document: Document, in database: DatabaseID) throws {
        let fields = try document.sentFields
        append(WireTag.documentName, nameOf: document.path, in: database)
        append(encoded: fields)
        append(WireTag.documentCreateTime, document.createTime)
        append(WireTag.documentUpdateTime, document.updateTime)
    }
}
