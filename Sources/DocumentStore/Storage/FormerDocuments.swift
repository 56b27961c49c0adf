// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How the documents of a query's scope differ now from what they were at a time.
struct FormerDocuments {
    struct Member {
        /// The place in the query's order.
        let key: OrderedKey
        let candidate: Candidate
    }

    /// Rows of today's documents that were not so then.
    let replacedRows: Set<Int64>
    /// Documents of then that match the query, in its order.
    let candidates: [Member]

    var isEmpty: Bool { replacedRows.isEmpty && candidates.isEmpty }

    init(in plan: QueryPlan, at time: Timestamp, session: ReadSession) throws {
        var rows: Set<Int64> = []
        var members: [Member] = []
        for (path, former) in try session.changesSince(time, in: plan.scope, of: plan.database) {
            if let collection = try session.row(of: path.collection, in: plan.database),
                let row = try session.db.storedDocument(at: path, in: collection)?.row
            {
                rows.insert(row)
            }
            guard let former else { continue }
            // Rows count from 1, so that these are different from all of today's.
            let candidate = Candidate(row: Int64(-1 - members.count), former, in: plan.database)
            if plan.accepts(candidate), let key = candidate.sortKey(in: plan.orders) {
                members.append(Member(key: key, candidate: candidate))
            }
        }
        self.replacedRows = rows
        self.candidates = members.sorted { $0.key < $1.key }
    }
}
