// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering
import SwiftProtobuf

extension FirestoreCalls {
    /// Reads one document; a missing one is billed too.
    package func getDocument(_ request: Proto.GetDocumentRequest, usage: inout CallUsage) throws -> Proto.Document {
        let reference = try DocumentReference(parsing: request.name)
        usage.attribute(to: reference.database)
        usage.attribute(to: [reference.path])
        try request.consistency.requireLatest()
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let result = try store.get([reference.path], in: reference.database, mask: mask)
        usage.billed.documentReads += Int64(result.billedReads)
        guard case .found(let document) = result.entries.first else {
            throw CallError.documentNotFound(reference)
        }
        return Proto.Document(document, in: reference.database)
    }

    /// Reads documents by name, each name once, in the order first asked for.
    package func batchGetDocuments(
        _ request: Proto.BatchGetDocumentsRequest,
        usage: inout CallUsage
    ) throws -> [Proto.BatchGetDocumentsResponse] {
        let database = try DatabaseID(parsing: request.database)
        usage.attribute(to: database)
        let paths = try request.documents.map { try DocumentPath(named: $0, in: database) }
        usage.attribute(to: paths)
        try request.consistency.requireLatest()
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let result = try store.get(paths, in: database, mask: mask)
        usage.billed.documentReads += Int64(result.billedReads)
        return result.entries.map { entry in
            Proto.BatchGetDocumentsResponse(entry, in: database, readTime: result.readTime)
        }
    }
}

extension Proto.BatchGetDocumentsResponse {
    fileprivate init(_ entry: LookupResult.Entry, in database: DatabaseID, readTime: Timestamp) {
        self.init()
        switch entry {
        case .found(let document): found = Proto.Document(document, in: database)
        case .missing(let path): missing = DocumentReference(database: database, path: path).name
        }
        self.readTime = Google_Protobuf_Timestamp(readTime)
    }
}
