// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Foundation
import SwiftProtobuf

extension Proto.ListenResponse {
    /// Converts the events of a stream.
    init(_ event: ListenEvent, in database: DatabaseID) throws {
        self.init()
        switch event {
        case .targetAdded(let id): targetChange = .init(.add, ids: [id])
        case .targetRemoved(let id, let cause): targetChange = .init(.remove, ids: [id], cause: cause)
        case .targetReset(let id): targetChange = .init(.reset, ids: [id])
        case .targetCurrent(let id, let token, let readTime):
            targetChange = .init(.current, ids: [id], token: token, readTime: readTime)
        case .snapshot(let token, let readTime):
            targetChange = .init(.noChange, ids: [], token: token, readTime: readTime)
        case .documentChanged(let document, let targets, let removedTargets):
            documentChange.document = try Proto.Document(document, in: database)
            documentChange.targetIds = targets
            documentChange.removedTargetIds = removedTargets
        case .documentDeleted(let path, let readTime, let removedTargets):
            documentDelete.document = DocumentReference(database: database, path: path).name
            documentDelete.readTime = Google_Protobuf_Timestamp(readTime)
            documentDelete.removedTargetIds = removedTargets
        case .documentRemoved(let path, let readTime, let removedTargets):
            documentRemove.document = DocumentReference(database: database, path: path).name
            documentRemove.readTime = Google_Protobuf_Timestamp(readTime)
            documentRemove.removedTargetIds = removedTargets
        case .existenceFilter(let id, let count, let unchangedNames):
            filter.targetID = id
            filter.count = Int32(clamping: count)
            filter.unchangedNames = Proto.BloomFilter(unchangedNames)
        }
    }
}

extension Proto.TargetChange {
    fileprivate init(
        _ type: TargetChangeType,
        ids: [Int32],
        cause: FirestoreError? = nil,
        token: [UInt8]? = nil,
        readTime: Timestamp? = nil
    ) {
        self.init()
        targetChangeType = type
        targetIds = ids
        if let cause { self.cause = Proto.Status(CallError(cause)) }
        if let token { resumeToken = Data(token) }
        if let readTime { self.readTime = Google_Protobuf_Timestamp(readTime) }
    }
}

extension Proto.BloomFilter {
    /// Production sends an empty filter where the client expected no count (recorded 2026-09).
    fileprivate init(_ filter: BloomFilter?) {
        self.init()
        guard let filter else { return }
        bits.bitmap = Data(filter.bits)
        bits.padding = Int32(filter.padding)
        hashCount = Int32(filter.hashCount)
    }
}

extension Proto.Status {
    /// Converts a refusal.
    init(_ error: CallError) {
        self.init()
        code = error.code.rawValue
        message = error.message
    }
}

extension Proto.Document {
    /// Converts a stored document of a database.
    ///
    /// - Throws: `FirestoreError` (data loss) for one that is damaged in the file.
    init(_ document: Document, in database: DatabaseID) throws {
        self.init()
        name = DocumentReference(database: database, path: document.path).name
        fields = try document.fields.mapValues { Proto.Value($0) }
        createTime = Google_Protobuf_Timestamp(document.createTime)
        updateTime = Google_Protobuf_Timestamp(document.updateTime)
    }
}

extension Proto.WriteResult {
    /// Converts what came of a write; a delete has no update time.
    init(_ result: WriteResult) {
        self.init()
        if let time = result.updateTime { updateTime = Google_Protobuf_Timestamp(time) }
        transformResults = result.transformResults.map { Proto.Value($0) }
    }
}

extension Document {
    /// The document in the wire format; its fields are sent as they are stored.
    ///
    /// - Throws: `FirestoreError` (data loss) for one that is damaged in the file.
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
    /// - Throws: `FirestoreError` (data loss) for one that is damaged in the file.
    mutating func append(_ tag: UInt64, document: Document, in database: DatabaseID) throws {
        try append(tag) { try $0.append(document, in: database) }
    }

    fileprivate mutating func append(_ document: Document, in database: DatabaseID) throws {
        let fields = try document.sentFields
        append(WireTag.documentName, nameOf: document.path, in: database)
        append(encoded: fields)
        append(WireTag.documentCreateTime, time: document.createTime)
        append(WireTag.documentUpdateTime, time: document.updateTime)
    }
}
