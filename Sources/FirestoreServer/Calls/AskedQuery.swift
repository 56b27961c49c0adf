// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
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

    /// The search over another query.
    func replacingQuery(by query: Query) -> AskedQuery {
        AskedQuery(query: query, nearest: nearest)
    }

    private init(query: Query, nearest: NearestSearch?) {
        self.query = query
        self.nearest = nearest
    }

    /// Begins to read the documents, in order and in parts.
    func reading(of store: SQLiteDocumentStore, in database: DatabaseID, at time: Timestamp?) throws -> QueryReading {
        guard let nearest else { return .documents(try QueryCursor(query, of: store, in: database, at: time)) }
        return .nearest(NearestCursor(nearest, among: query, of: store, in: database, at: time))
    }

    /// Hands out all documents in order and returns the cost.
    func run(
        on store: SQLiteDocumentStore,
        in database: DatabaseID,
        at time: Timestamp?,
        forEach body: (Document) throws -> Void
    ) throws -> QueryCost {
        guard nearest != nil else {
            return QueryCost(try store.run(query, in: database, at: time, forEach: body))
        }
        let reading = try reading(of: store, in: database, at: time)
        repeat {
            for document in try reading.nextPart() { try body(document) }
        } while !reading.isFinished
        return reading.cost
    }
}
