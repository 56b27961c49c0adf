// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension SQLiteDocumentStore {
    /// Runs a query and collects its documents.
    package func run(_ query: Query, in database: DatabaseID, at time: Timestamp? = nil) throws -> QueryResult {
        var documents: [Document] = []
        let summary = try run(query, in: database, at: time) { documents.append($0) }
        return QueryResult(documents: documents, summary: summary)
    }

    /// Runs a query and hands out its documents in order, one at a time.
    ///
    /// Holds none of them longer than that when an index gives the order. An error of `body` ends the query
    /// and is passed on.
    ///
    /// - Throws: `FirestoreError` for a query that is refused, a time that is yet to come, or too long ago.
    package func run(
        _ query: Query,
        in database: DatabaseID,
        at time: Timestamp? = nil,
        forEach body: (Document) throws -> Void
    ) throws -> QuerySummary {
        let all = { (document: Document) throws -> Bool in
            try body(document)
            return true
        }
        return try run(query, in: database, at: time, started: { _ in }, while: all)
    }

    /// Runs a query and hands out its documents in order until the body returns false.
    ///
    /// `started` receives the time of the read before any document.
    package func run(
        _ query: Query,
        in database: DatabaseID,
        at time: Timestamp? = nil,
        started: (Timestamp) throws -> Void,
        while body: (Document) throws -> Bool
    ) throws -> QuerySummary {
        let plan = try QueryPlan(query, in: database)
        return try readWithIndexes(for: plan, at: time) { snapshot in
            try started(time ?? snapshot.readTime)
            return try snapshot.run(plan, at: time, while: body)
        }
    }

    /// Counts a query's documents, no further than `limit`; reads no document where an index suffices.
    package func count(
        _ query: Query,
        in database: DatabaseID,
        at time: Timestamp? = nil,
        upTo limit: Int? = nil
    ) throws -> QueryCount {
        var query = query
        query.limit = [query.limit, limit].compactMap(\.self).min()
        query.projection = nil
        let plan = try QueryPlan(query, in: database)
        let summary = try readWithIndexes(for: plan, at: time) { snapshot in
            try snapshot.count(plan, at: time)
        }
        return QueryCount(
            count: summary.returnedCount,
            indexEntriesRead: summary.indexEntriesRead,
            readTime: summary.readTime,
            explanation: summary.explanation
        )
    }

    /// Reads in a snapshot that has the indexes a query needs; they are built first when missing.
    func readWithIndexes<Result>(
        for plan: QueryPlan,
        at time: Timestamp?,
        _ body: (StoreSnapshot) throws -> Result
    ) throws -> Result {
        defer { buildRequestedIndexes() }
        var shapes: Set<IndexShape> = []
        let result = try read(at: time) { snapshot in
            shapes = try snapshot.missingIndexes(for: plan)
            return shapes.isEmpty ? try body(snapshot) : nil
        }
        if let result { return result }
        do {
            try build(Array(shapes), in: plan.database)
        } catch let error as FirestoreError where error.isOfDisk {
            // There is no room for them.
        }
        // Should one be missing, or dropped again by now, the query does without.
        return try read(at: time, body)
    }
}
