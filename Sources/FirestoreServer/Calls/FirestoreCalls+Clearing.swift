// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
package import SwiftProtobuf

extension FirestoreCalls {
    /// Deletes every document of a database, or those at a place and below it, as the official emulator offers it to tests
    /// and to its user interface; never billed.
    ///
    /// All documents of a database go at once. A place loses up to ``DocumentBatch/documentCountMax`` documents at once
    /// or none; a larger one loses them in several commits, each at once, in the order of collections and names, and
    /// the document at the place last: where the call ends before that, as with the process, calling again deletes the
    /// rest. Documents that are written meanwhile may stay.
    ///
    /// - Parameters:
    ///   - database: The database's full name.
    ///   - segments: The path of a collection or of a document; none for all documents.
    ///   - context: The call.
    /// - Returns: The empty answer.
    /// - Throws: `FirestoreError`.
    package func clearDocuments(
        of database: String,
        below segments: [String] = [],
        in context: CallContext
    ) async throws -> Google_Protobuf_Empty {
        let database = try DatabaseID(parsing: database)
        context.attribute(to: database)
        guard !segments.isEmpty else {
            try store.deleteAll(in: database)
            return Google_Protobuf_Empty()
        }
        var batch = DocumentBatch()
        repeat {
            batch = try nextBatch(of: database, below: segments, after: batch)
            guard !batch.paths.isEmpty else { break }
            let writes = batch.paths.map { Write(path: $0, operation: .delete) }
            // Not judged: the emulator itself offers it.
            let authorization = CommitAuthorization(of: .administrator)
            _ = try await transactions.commit(writes, in: database, authorizing: authorization)
        } while batch.isFull
        return Google_Protobuf_Empty()
    }

    private func nextBatch(
        of database: DatabaseID,
        below segments: [String],
        after former: DocumentBatch
    ) throws -> DocumentBatch {
        var batch = DocumentBatch()
        try store.scanning { scan in
            try scan.visitPaths(at: segments, of: database, from: former.lastCollection) { path, byteCount in
                batch.add(path, byteCount: byteCount)
                return !batch.isFull
            }
        }
        return batch
    }
}

/// Documents that are deleted by one commit, which other writers wait for, and which holds them as they were.
struct DocumentBatch {
    static let documentCountMax = 5_000
    private static let byteCountMax = 16 << 20

    private(set) var paths: [DocumentPath] = []
    private var byteCount = 0

    /// Whether there may be more of them.
    var isFull: Bool { paths.count >= Self.documentCountMax || byteCount >= Self.byteCountMax }
    var lastCollection: CollectionPath? { paths.last?.collection }

    mutating func add(_ path: DocumentPath, byteCount: Int) {
        paths.append(path)
        self.byteCount += byteCount
    }
}
