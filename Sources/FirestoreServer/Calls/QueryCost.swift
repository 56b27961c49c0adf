// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore

/// The documents that a query read, and its bill.
struct QueryCost {
    let readTime: Timestamp
    let returnedCount: Int
    let skippedCount: Int
    let indexEntriesRead: Int
    let billedReads: Int
    let billedIndexEntries: Int

    /// The cost of a query that has not begun.
    static let nothing = QueryCost()

    private init() {
        readTime = Timestamp(microseconds: 0)
        returnedCount = 0
        skippedCount = 0
        indexEntriesRead = 0
        billedReads = 0
        billedIndexEntries = 0
    }

    init(_ summary: QuerySummary) {
        readTime = summary.readTime
        returnedCount = summary.returnedCount
        skippedCount = summary.skippedCount
        indexEntriesRead = summary.indexEntriesRead
        billedReads = summary.billedReads
        billedIndexEntries = summary.billedIndexEntries
    }

    /// A vector search is billed its results and a read for up to 100 index entries.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    init(_ summary: QuerySummary, nearestCount: Int) {
        readTime = summary.readTime
        returnedCount = nearestCount
        skippedCount = 0
        indexEntriesRead = summary.indexEntriesRead
        billedReads = max(1, nearestCount + (summary.indexEntriesRead + 99) / 100)
        billedIndexEntries = 0
    }
}
