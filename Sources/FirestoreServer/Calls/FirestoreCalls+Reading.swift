// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol
import Metering

extension FirestoreCalls {
    /// Reads one document; a missing one is billed too.
    func getDocument(
        _ request: Proto.GetDocumentRequest,
        in context: CallContext
    ) throws -> (document: Document, database: DatabaseID) {
        let reference = try DocumentReference(parsing: request.name)
        context.attribute(to: reference.database)
        context.attribute(to: reference.path)
        try admitReading()
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let point = try readPoint(request.consistency, in: reference.database)
        let result = try lookUp(reference, at: point, in: context)
        context.bill(reads: result.billedReads)
        context.note { $0.append(result, in: reference.database) }
        guard case .found(let document) = result.entries.first else {
            throw CallError.documentNotFound(reference)
        }
        return (try document.selecting(mask), reference.database)
    }

    /// Reads documents by name, each name once: those found, then those missing, both in the order of names (production's
    /// order, recorded 2026-09 for those found).
    func batchGetDocuments(
        _ request: Proto.BatchGetDocumentsRequest,
        in context: CallContext
    ) throws -> AnswerStream<DocumentAnswer<Proto.BatchGetDocumentsResponse>> {
        let database = try DatabaseID(parsing: request.database)
        context.attribute(to: database)
        let paths = try request.documents.map { try DocumentPath(named: $0, in: database) }
        context.attribute(to: paths)
        try admitReading()
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let point = try readPoint(request.consistency, in: database)
        let answers = try transactions.read(
            in: point.transaction,
            at: point.time,
            of: database,
            locking: .documents(paths)
        ) { time in
            try LookupAnswers(
                to: paths,
                LookupCursor(paths.inNameOrder, of: store, in: database, at: time),
                of: store,
                in: database,
                mask: mask,
                begun: point.begun,
                in: context
            )
        }
        return AnswerStream { try answers.next() }
    }

    private func lookUp(
        _ reference: DocumentReference,
        at point: ReadPoint,
        in context: CallContext
    ) throws -> LookupResult {
        try transactions.read(
            in: point.transaction,
            at: point.time,
            of: reference.database,
            locking: .documents([reference.path])
        ) { time in
            let result = try store.get([reference.path], in: reference.database, at: time)
            try context.authorize([reference.path], readSoFar: result, of: store, in: reference.database)
            return result
        }
    }
}
