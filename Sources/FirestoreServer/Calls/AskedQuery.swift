// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreProtocol

/// A query as a request asks for it: its documents, or the nearest of them.
struct AskedQuery {
    let query: Query
    let nearest: NearestSearch?

    /// Converts a received query under a parent.
    init(_ proto: Proto.StructuredQuery, under parent: DocumentPath?) throws {
        query = try Query(proto, under: parent)
        nearest = proto.hasFindNearest ? try NearestSearch(proto.findNearest) : nil
        try nearest?.validate(with: query)
    }

    /// The same search over another query.
    func replacingQuery(by query: Query) -> AskedQuery {
        AskedQuery(query: query, nearest: nearest)
    }

    private init(query: Query, nearest: NearestSearch?) {
        self.query = query
        self.nearest = nearest
    }

    /// Hands out the documents in order and tells what that cost.
    func run(
        on store: SQLiteDocumentStore,
        in database: DatabaseID,
        at time: Timestamp?,
        forEach body: (Document) throws -> Void
    ) throws -> QueryCost {
        guard let nearest else {
            return QueryCost(try store.run(query, in: database, at: time, forEach: body))
        }
        var fold = NearestFold(nearest)
        // The projection leaves out the vector, so it comes last.
        var whole = query
        whole.projection = nil
        let summary = try store.run(whole, in: database, at: time) { try fold.add($0) }
        let documents = fold.documents
        for document in documents {
            try body(document.selecting(query.projection))
        }
        return QueryCost(summary, nearestCount: documents.count)
    }
}
