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

    /// Reads documents by name, each name once: those found in the order first asked for, then those missing, as
    /// Google's own tests expect it of production.
    func batchGetDocuments(
        _ request: Proto.BatchGetDocumentsRequest,
        usage: inout CallUsage
    ) throws -> [DocumentAnswer<Proto.BatchGetDocumentsResponse>] {
        try admitReading()
        let database = try DatabaseID(parsing: request.database)
        usage.attribute(to: database)
        let paths = try request.documents.map { try DocumentPath(named: $0, in: database) }
        usage.attribute(to: paths)
        let mask = request.hasMask ? try DocumentMask(request.mask) : nil
        let point = try readPoint(request.consistency, in: database)
        let result = try lookUp(paths, in: database, at: point, mask: mask)
        usage.billed.documentReads += Int64(result.billedReads)
        var answers: [DocumentAnswer<Proto.BatchGetDocumentsResponse>] = []
        answers.reserveCapacity(result.entries.count + 1)
        if let begun = point.begun { answers.append(DocumentAnswer(beginning: begun, in: database)) }
        for case .found(let document) in result.entries {
            answers.append(DocumentAnswer(document, readTime: result.readTime, in: database))
        }
        for case .missing(let path) in result.entries {
            answers.append(DocumentAnswer(missing: path, readTime: result.readTime, in: database))
        }
        return answers
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

extension DocumentAnswer<Proto.BatchGetDocumentsResponse> {
    /// The answer before all others, when the call began a transaction.
    fileprivate init(beginning transaction: TransactionID, in database: DatabaseID) {
        var response = Proto.BatchGetDocumentsResponse()
        response.transaction = transaction.data
        self.init(rest: response, in: database)
    }

    fileprivate init(missing path: DocumentPath, readTime: Timestamp, in database: DatabaseID) {
        var response = Proto.BatchGetDocumentsResponse()
        response.missing = DocumentReference(database: database, path: path).name
        self.init(readTime: readTime, rest: response, in: database)
    }
}
