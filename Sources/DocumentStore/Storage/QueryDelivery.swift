// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Hands out a query's documents in order: skips the offset, stops at the limit, counts.
struct QueryDelivery {
    private let plan: QueryPlan
    private var skippedCount = 0
    private var returnedCount = 0
    var entriesRead = 0

    init(_ plan: QueryPlan) {
        self.plan = plan
    }

    /// Returns whether more are wanted.
    mutating func deliver(_ candidate: Candidate, _ body: (Document) throws -> Void) throws -> Bool {
        guard skippedCount == plan.offset else {
            skippedCount += 1
            return true
        }
        returnedCount += 1
        try body(candidate.document.selecting(plan.mask))
        return returnedCount != plan.limit
    }

    func summary(readTime: Timestamp) -> QuerySummary {
        QuerySummary(
            readTime: readTime,
            returnedCount: returnedCount,
            skippedCount: skippedCount,
            indexEntriesRead: entriesRead
        )
    }
}
