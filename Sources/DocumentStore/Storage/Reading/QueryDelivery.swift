// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Hands out a query's documents in order: skips the offset, stops at the limit, counts.
struct QueryDelivery {
    private let plan: QueryPlan
    private var skippedCount = 0
    private var returnedCount = 0

    /// How many documents to pass over before the next one.
    private var skipsLeft: Int
    private var laterGaps: ArraySlice<Int>

    init(_ plan: QueryPlan) {
        self.init(plan, gaps: [plan.offset])
    }

    /// Passes over a number of documents before each one it hands out.
    init(_ plan: QueryPlan, gaps: [Int]) {
        self.plan = plan
        self.skipsLeft = gaps.first ?? 0
        self.laterGaps = gaps.dropFirst()
    }

    /// Passes over the next document if it is one of those to be skipped.
    mutating func skips() -> Bool {
        guard skipsLeft > 0 else { return false }
        skipsLeft -= 1
        skippedCount += 1
        return true
    }

    /// Returns whether more are wanted.
    mutating func deliver(_ document: Document, _ body: (Document) throws -> Bool) throws -> Bool {
        if skips() { return true }
        returnedCount += 1
        skipsLeft = laterGaps.popFirst() ?? 0
        return try body(try document.selecting(plan.mask)) && !isComplete
    }

    /// Whether the limit has been reached.
    var isComplete: Bool { returnedCount == plan.limit }

    func summary(readTime: Timestamp) -> QuerySummary {
        QuerySummary(
            readTime: readTime,
            returnedCount: returnedCount,
            skippedCount: skippedCount,
            indexEntriesRead: 0
        )
    }
}
