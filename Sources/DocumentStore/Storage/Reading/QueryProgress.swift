// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// How far a query has been answered: all that has to be kept from one snapshot to the next.
struct QueryProgress {
    /// The documents that have not been given out.
    enum Rest {
        case everything
        /// Those of the entries behind a place.
        case entries(EntryPlace)
        /// Those of several runs of entries, each from where it was read to.
        case merged(MergedRuns)
        /// Found and sorted before.
        case sorted(SortedRows)
        case nothing
    }

    var rest = Rest.everything
    /// The differences between now and the time as of which documents are given out; `nil` when there are none.
    var past: FormerDocuments?
    var delivery: QueryDelivery
    var entriesRead = 0
    var documentsRead = 0
    /// Whether documents were looked through without an index.
    var isScan = false

    init(_ delivery: QueryDelivery) {
        self.delivery = delivery
    }

    var isFinished: Bool {
        if case .nothing = rest { true } else { false }
    }

    func summary(of plan: QueryPlan, readTime: Timestamp) -> QuerySummary {
        var summary = delivery.summary(readTime: readTime)
        // Without an index, what a fitting one would have read.
        summary.indexEntriesRead = isScan ? summary.returnedCount + summary.skippedCount : entriesRead
        summary.documentsRead = documentsRead
        summary.rangeFieldCount = plan.rangeFieldCount
        summary.explanation = PlanExplanation(plan)
        return summary
    }
}
