// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

/// A write, with its document read straight from the wire's bytes if its fields are plain.
struct ReceivedWrite: Sendable {
    /// Without its document if that is apart.
    let message: Proto.Write
    /// The fields that the write sets, if they were read already.
    let document: (reference: DocumentReference, fields: PlainFields)?

    init(_ message: Proto.Write) {
        self.message = message
        document = nil
    }

    init(serializedBytes bytes: UnsafeRawBufferPointer) throws {
        // Whatever the short way does not understand, right or wrong, goes the long one, which also words the refusal.
        if let plain = try? Self(plain: WireReader(bytes)) {
            self = plain
        } else {
            self.init(try Proto.Write(serializedBytes: Array(bytes)))
        }
    }

    /// Throws, or returns `nil`, for a write that has to be read as a message.
    private init?(plain parts: consuming WireReader) throws {
        var document: UnsafeRawBufferPointer?
        var rest = WireWriter()
        while let tag = try parts.nextTag() {
            let content = try parts.nextContent(of: tag)
            if tag == WireTag.writeUpdate {
                guard document == nil else { return nil }
                document = content
            } else {
                rest.append(tag, content: content)
            }
        }
        guard let document, let (name, fields) = try PlainFields.read(fromDocument: document) else { return nil }
        let message = rest.bytes.isEmpty ? Proto.Write() : try Proto.Write(serializedBytes: rest.bytes)
        // Another operation, which the message's reader would let win or lose by its place.
        guard message.operation == nil else { return nil }
        self.message = message
        self.document = (try DocumentReference(parsing: name), fields)
    }
}

extension WireReader {
    /// The content of a field that a request has only with a length.
    fileprivate mutating func nextContent(of tag: UInt64) throws -> UnsafeRawBufferPointer {
        guard tag & 7 == WireTag.delimited else { throw CallError.unexpected }
        return try nextContent()
    }
}

extension FieldTransform {
    /// Converts a received transform.
    init(_ proto: Proto.FieldTransform) throws {
        self.init(try FieldPath(parsing: proto.fieldPath), try Operation(proto))
    }
}

extension FieldTransform.Operation {
    fileprivate init(_ proto: Proto.FieldTransform) throws {
        switch proto.transformType {
        case .setToServerValue(.requestTime): self = .serverTimestamp
        case .increment(let operand): self = .increment(try Value(operand))
        case .maximum(let operand): self = .maximum(try Value(operand))
        case .minimum(let operand): self = .minimum(try Value(operand))
        case .appendMissingElements(let array):
            self = .appendMissingElements(try array.values.map { try Value($0) })
        case .removeAllFromArray(let array):
            self = .removeAllFromArray(try array.values.map { try Value($0) })
        case .setToServerValue: throw CallError.serverValueUnknown
        case nil: throw CallError.transformUnknown
        }
    }
}
