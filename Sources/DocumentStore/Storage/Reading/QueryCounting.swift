// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Counts the documents of a query whose entries are in its order, each once; without reading them, where entries suffice.
struct QueryCounting {
    private let plan: QueryPlan
    private var count = 0
    private var entriesRead = 0
    private var documentsRead = 0

    init(plan: QueryPlan) { self.plan = plan }

    mutating func perform(_ sources: [EntrySource], readTime: Timestamp) throws -> QuerySummary {
        let wantedCount = plan.matchCountMax ?? .max
        for source in sources {
            for interval in source.branch.runs.joined() where count < wantedCount {
                if source.branch.isComplete, source.branch.checks.isEmpty {
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
            count += 1
            return count < wantedCount
        }
    }
}
