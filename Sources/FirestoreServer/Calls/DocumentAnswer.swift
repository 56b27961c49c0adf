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
        let message: [UInt8] = try message.serializedBytes()
        guard let document else { return message }
        var writer = WireWriter(capacity: message.count + document.byteCountGuess)
        writer.append(encoded: message)
        writer.append(Message.documentTag, document, in: database)
        return writer.bytes
    }
}

/// A message with a document in one of its fields.
protocol DocumentCarrying: SwiftProtobuf.Message {
    /// The tag of the document's field.
    static var documentTag: UInt64 { get }

    /// Puts the document in its field.
    mutating func carry(_ document: Proto.Document)
}

extension Proto.RunQueryResponse: DocumentCarrying {
    static var documentTag: UInt64 { 1 << 3 | WireTag.delimited }

    mutating func carry(_ document: Proto.Document) {
        self.document = document
    }
}

extension Proto.BatchGetDocumentsResponse: DocumentCarrying {
    static var documentTag: UInt64 { 1 << 3 | WireTag.delimited }

    mutating func carry(_ document: Proto.Document) {
        found = document
    }
}
