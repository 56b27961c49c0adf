// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension SQLiteDocumentStore {
    /// Splits a query that is ordered by name alone into parts of about equal size, and returns where each part but
    /// the first begins, in order.
    ///
    /// Fewer for a query with few documents. The places for a number of parts are among those for a multiple of it.
    ///
    /// - Throws: `FirestoreError` for a query that is refused, a time that is yet to come, or too long ago.
    package func partition(
        _ query: Query,
        count: Int,
        in database: DatabaseID,
        at time: Timestamp? = nil
    ) throws -> [DocumentPath] {
        precondition(count > 0, "there must be a part")
        let plan = try QueryPlan(query, in: database)
        return try readWithIndexes(for: plan, at: time) { snapshot in
            let documentCount = try snapshot.count(plan, at: time).returnedCount
            let places = QueryPartition.places(documentCount: documentCount, partCount: count)
            return try snapshot.paths(at: places, of: plan, at: time)
        }
    }
}

/// Where a list is to be cut.
enum QueryPartition {
    /// Parts are at least this long.
    ///
    /// Source: `tests/system/test_system.py` of google-cloud-firestore 2.34.1, "minimum partition size is 128".
    static let documentCountMin = 128

    /// Places for the parts, each at a multiple of the least length.
    static func places(documentCount: Int, partCount: Int) -> [Int] {
        let candidateCount = (documentCount - 1) / documentCountMin
        guard candidateCount > 0 else { return [] }
        guard partCount <= candidateCount else { return (1...candidateCount).map { $0 * documentCountMin } }
        return (1..<partCount).map { part in
            (part * (candidateCount + 1) / partCount) * documentCountMin
        }
    }
}

extension StoreSnapshot {
    /// The documents at some places of a query's result, ascending; reads no others where an index suffices.
    fileprivate func paths(at places: [Int], of plan: QueryPlan, at time: Timestamp?) throws -> [DocumentPath] {
        guard !places.isEmpty else { return [] }
        var paths: [DocumentPath] = []
        let gaps = zip(places, [-1] + places).map { $0 - $1 - 1 }
        _ = try run(plan, at: time, delivery: QueryDelivery(plan, gaps: gaps)) { document in
            paths.append(document.path)
            return paths.count < places.count
        }
        return paths
    }
}
