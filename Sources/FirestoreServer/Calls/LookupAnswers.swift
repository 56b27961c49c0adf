// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import FirestoreProtocol

/// The answers about documents by name: first those found, then the names of those missing.
///
/// Reads a part of the documents at a time, when the one before has been taken.
final class LookupAnswers {
    typealias Answer = DocumentAnswer<Proto.BatchGetDocumentsResponse>

    private let store: SQLiteDocumentStore
    private let database: DatabaseID
    private let mask: DocumentMask?
    private let context: CallContext
    private let lookup: LookupCursor
    /// A transaction that the call began, of which the answer before all others contains it.
    private var begun: TransactionID?
    /// The rest of the part, the next document last: each is released once it is taken.
    private var part: [LookupResult.Entry] = []
    private var missing: ArraySlice<DocumentPath> = []
    private var readTime = Timestamp(microseconds: 0)

    /// Has all documents judged, in the order of the request, with the first part read.
    init(
        to paths: [DocumentPath],
        _ lookup: LookupCursor,
        of store: SQLiteDocumentStore,
        in database: DatabaseID,
        mask: DocumentMask?,
        begun: TransactionID?,
        in context: CallContext
    ) throws {
        self.store = store
        self.database = database
        self.mask = mask
        self.context = context
        self.lookup = lookup
        self.begun = begun
        let first = try readPart()
        try context.authorize(paths, readSoFar: first, of: store, in: database)
    }

    /// The next answer; `nil` after the last.
    func next() throws -> Answer? {
        if let begun = begun.take() { return answer(beginning: begun) }
        while true {
            switch part.popLast() {
            case .found(let document): return Answer(try document.selecting(mask), readTime: readTime, in: database)
            case .missing(let path): missing.append(path)
            case nil where lookup.isFinished: return missing.popFirst().map { answer(missing: $0) }
            case nil: _ = try readPart()
            }
        }
    }

    private func readPart() throws -> LookupResult {
        let result = try lookup.nextPart()
        context.bill(reads: result.billedReads)
        context.note { $0.append(result, in: database) }
        readTime = result.readTime
        part = result.entries
        part.reverse()
        return result
    }

    private func answer(beginning transaction: TransactionID) -> Answer {
        var response = Proto.BatchGetDocumentsResponse()
        response.transaction = transaction.data
        return Answer(rest: response, in: database)
    }

    private func answer(missing path: DocumentPath) -> Answer {
        var response = Proto.BatchGetDocumentsResponse()
        response.missing = DocumentReference(database: database, path: path).name
        return Answer(readTime: readTime, rest: response, in: database)
    }
}
