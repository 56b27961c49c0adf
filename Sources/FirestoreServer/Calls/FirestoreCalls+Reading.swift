// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol
import Metering

extension FirestoreCalls {
    /// Reads one document; a missing one is billed too.
    func getDocument(
        _ request: Proto.GetDocumentRequest,
        usage: inout CallUsage
    ) throws -> (document: Document, database: DatabaseID) {
        try admitReading()
        let reference = try DocumentReference(parsing: request.name)
        usage.attribute(to: reference.database)
        usage.attribute(to: reference.path)
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let point = try readPoint(request.consistency, in: reference.database)
        let result = try lookUp([reference.path], in: reference.database, at: point, mask: mask)
        usage.billed.documentReads += Int64(result.billedReads)
        guard case .found(let document) = result.entries.first else {
            throw CallError.documentNotFound(reference)
        }
        return (document, reference.database)
    }

    /// Reads documents by name, each name once: those found, then those missing, both in the order of names (production's
    /// order, recorded 2026-09 for those found).
    func batchGetDocuments(
        _ request: Proto.BatchGetDocumentsRequest,
        usage: inout CallUsage
    ) throws -> AnswerStream<DocumentAnswer<Proto.BatchGetDocumentsResponse>> {
        try admitReading()
        let database = try DatabaseID(parsing: request.database)
        usage.attribute(to: database)
        let paths = try request.documents.map { try DocumentPath(named: $0, in: database) }
        usage.attribute(to: paths)
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let point = try readPoint(request.consistency, in: database)
        let answers = try transactions.read(
            in: point.transaction,
            at: point.time,
            of: database,
            locking: .documents(paths)
        ) { time in
            try LookupAnswers(
                LookupCursor(paths.inNameOrder, of: store, in: database, mask: mask, at: time),
                in: database,
                begun: point.begun,
                billing: &usage.billed
            )
        }
        return AnswerStream { try answers.next(billing: &$0) }
    }

    private func lookUp(
        _ paths: [DocumentPath],
        in database: DatabaseID,
        at point: ReadPoint,
        mask: DocumentMask?
    ) throws -> LookupResult {
        try transactions.read(in: point.transaction, at: point.time, of: database, locking: .documents(paths)) { time in
            try store.get(paths, in: database, mask: mask, at: time)
        }
    }
}
