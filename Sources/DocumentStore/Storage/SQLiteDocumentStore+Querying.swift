// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SQLiteDocumentStore {
    /// Runs a query and collects its documents.
    package func run(_ query: Query, in database: DatabaseID) throws -> QueryResult {
        var documents: [Document] = []
        let summary = try run(query, in: database) { documents.append($0) }
        return QueryResult(documents: documents, summary: summary)
    }

    /// Runs a query and hands out its documents in order, one at a time.
    ///
    /// Holds none of them longer than that when an index gives the order. An error of `body` ends the query
    /// and is passed on.
    package func run(
        _ query: Query,
        in database: DatabaseID,
        at time: Timestamp? = nil,
        forEach body: (Document) throws -> Void
    ) throws -> QuerySummary {
        let plan = try QueryPlan(query, in: database)
        return try read(at: time, of: database) { session in
            try session.run(plan, forEach: body)
        }
    }

    /// Reads one page of a collection.
    package func list(
        _ request: ListRequest,
        in database: DatabaseID,
        at time: Timestamp? = nil
    ) throws -> ListPage {
        let listing = try Listing(request, in: database)
        return try read(at: time, of: database) { session in
            try session.list(listing)
        }
    }
}
