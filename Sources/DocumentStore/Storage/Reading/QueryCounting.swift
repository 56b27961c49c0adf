// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Counts the documents of a query without reading them, where entries suffice.
struct QueryCounting {
    let plan: QueryPlan
    let snapshot: StoreSnapshot
    private var count = 0
    private var entriesRead = 0
    private var documentsRead = 0
    /// Rows counted, when one may come twice.
    private var seen: Set<Int64>?

    init(plan: QueryPlan, snapshot: StoreSnapshot) {
        self.plan = plan
        self.snapshot = snapshot
        self.seen = plan.access.isInOrder ? nil : []
    }

    mutating func perform(_ sources: [EntrySource], readTime: Timestamp) throws -> QuerySummary {
        let wantedCount = plan.matchCountMax ?? .max
        for source in sources {
            for interval in source.branch.runs.joined() where count < wantedCount {
                if seen == nil, source.branch.isComplete, source.branch.checks.isEmpty {
                    let found = try source.count(interval, upTo: wantedCount - count)
                    entriesRead += found
                    count += found
                } else {
                    try countOneByOne(interval, of: source, upTo: wantedCount)
                }
            }
        }
        let skippedCount = min(count, plan.offset)
        return QuerySummary(
            readTime: readTime,
            returnedCount: count - skippedCount,
            skippedCount: skippedCount,
            indexEntriesRead: entriesRead,
            documentsRead: documentsRead,
            explanation: PlanExplanation(plan)
        )
    }

    private mutating func countOneByOne(
        _ interval: KeyInterval,
        of source: EntrySource,
        upTo wantedCount: Int
    ) throws {
        _ = try source.visit(interval, entriesRead: &entriesRead) { found in
            if !source.branch.isComplete {
                documentsRead += 1
                let candidate = Candidate(try found.load(), in: plan.database)
                guard try plan.accepts(candidate) else { return true }
            }
            guard seen?.insert(found.row).inserted ?? true else { return true }
            count += 1
            return count < wantedCount
        }
    }
}
