// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import SwiftProtobuf

/// An answer around a stored document, which is encoded only in the form the caller wants.
///
/// The store keeps fields in the protocol's own form: over gRPC they are sent as they are, never decoded.
struct DocumentAnswer<Message: DocumentCarrying>: Sendable {
    /// The answer without the document.
    var message: Message
    var document: Document?
    let database: DatabaseID

    init(_ message: Message, _ document: Document? = nil, in database: DatabaseID) {
        self.message = message
        self.document = document
        self.database = database
    }

    /// The whole answer.
    var whole: Message {
        guard let document else { return message }
        var whole = message
        whole.carry(Proto.Document(document, in: database))
        return whole
    }

    /// The whole answer in the wire format.
    func serialized() throws -> [UInt8] {
        var bytes: [UInt8] = try message.serializedBytes()
        guard let document else { return bytes }
        let encoded = document.encoded(in: database)
        bytes.appendField(Message.documentField, byteCount: encoded.count)
        bytes += encoded
        return bytes
    }
}

/// A message with a document in one of its fields.
protocol DocumentCarrying: SwiftProtobuf.Message {
    /// The number of the document's field.
    static var documentField: UInt8 { get }

    /// Puts the document in its field.
    mutating func carry(_ document: Proto.Document)
}

extension Proto.RunQueryResponse: DocumentCarrying {
    static var documentField: UInt8 { 1 }

    mutating func carry(_ document: Proto.Document) {
        self.document = document
    }
}

extension Proto.BatchGetDocumentsResponse: DocumentCarrying {
    static var documentField: UInt8 { 1 }

    mutating func carry(_ document: Proto.Document) {
        found = document
    }
}
