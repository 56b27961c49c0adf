// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import SwiftProtobuf

extension Write {
    /// Converts a received write.
    ///
    /// - Throws: `CallError` (invalid argument) for a document outside the database of the request, or parts that do
    ///   not go together.
    init(_ proto: Proto.Write, in database: DatabaseID) throws {
        try self.init(ReceivedWrite(proto), in: database)
    }

    /// Converts a received write, whose document may have been read already.
    init(_ received: ReceivedWrite, in database: DatabaseID) throws {
        let proto = received.message
        if let document = received.document {
            let path = try document.reference.path(in: database)
            try self.init(set: .plain(document.fields), at: path, proto: proto)
            return
        }
        let precondition = try Precondition(proto)
        switch proto.operation {
        case .update(let document):
            let path = try DocumentPath(named: document.name, in: database)
            try self.init(set: .values(try document.fields.mapValues { try Value($0) }), at: path, proto: proto)
        case .delete(let name):
            guard !proto.hasUpdateMask else { throw CallError.deleteWithMask }
            guard proto.updateTransforms.isEmpty else { throw CallError.deleteWithTransforms }
            self = .delete(try DocumentPath(named: name, in: database), precondition: precondition)
        case .verify(let name):
            try Self.refuseFieldChanges(proto)
            let path = try DocumentPath(named: name, in: database)
            guard let precondition else { throw CallError.verifyWithoutPrecondition }
            self = .verify(path, precondition: precondition)
        case .transform(let transform):
            try Self.refuseFieldChanges(proto)
            guard !transform.fieldTransforms.isEmpty else { throw CallError.transformsMissing }
            let transforms = try transform.fieldTransforms.map { try FieldTransform($0) }
            let path = try DocumentPath(named: transform.document, in: database)
            self = .transform(path, transforms, precondition: precondition)
        case nil:
            throw CallError.writeWithoutOperation
        }
    }

    private init(set fields: WrittenFields, at path: DocumentPath, proto: Proto.Write) throws {
        self.init(
            path: path,
            operation: .set(fields: fields, mask: proto.hasUpdateMask ? try DocumentMask(proto.updateMask) : nil),
            updateTransforms: try proto.updateTransforms.map { try FieldTransform($0) },
            precondition: try Precondition(proto)
        )
    }

    private static func refuseFieldChanges(_ proto: Proto.Write) throws {
        guard !proto.hasUpdateMask, proto.updateTransforms.isEmpty else { throw CallError.fieldChangesWithoutUpdate }
    }
}

extension [Write] {
    /// Converts received writes; of several faults the first write's is reported.
    init(_ received: [ReceivedWrite], in database: DatabaseID) throws {
        self = []
        reserveCapacity(received.count)
        do {
            for write in received {
                append(try Write(write, in: database))
            }
        } catch {
            for write in self {
                try write.validate(in: database)
            }
            throw error
        }
    }
}

extension Proto.Write {
    /// `nil` for a write of nothing.
    var documentName: String? {
        switch operation {
        case .update(let document): document.name
        case .delete(let name), .verify(let name): name
        case .transform(let transform): transform.document
        case nil: nil
        }
    }
}

extension Precondition {
    /// Returns `nil` when the write has none.
    fileprivate init?(_ write: Proto.Write) throws {
        guard write.hasCurrentDocument else { return nil }
        self.init(write.currentDocument)
    }

    /// Returns `nil` for an empty condition, which always holds.
    private init?(_ proto: Proto.Precondition) {
        switch proto.conditionType {
        case .exists(let exists): self = .exists(exists)
        case .updateTime(let time): self = .updateTime(Timestamp(time))
        case nil: return nil
        }
    }
}

extension DocumentMask {
    /// Converts a received mask.
    init(_ proto: Proto.DocumentMask) throws {
        try self.init(parsing: proto.fieldPaths)
    }
}

extension DocumentPath {
    /// Parses a document's full name, which must be in the database of the request.
    init(named name: String, in database: DatabaseID) throws {
        self = try DocumentReference(parsing: name).path(in: database)
    }
}

extension DocumentReference {
    /// The path of a document, which must be in the database of the request.
    fileprivate func path(in database: DatabaseID) throws -> DocumentPath {
        guard self.database == database else {
            throw CallError.databaseMismatch(request: database, name: self.database)
        }
        return path
    }
}
