// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The cost and the read time of a query, without its documents.
package struct QuerySummary: Sendable, Equatable {
    package var readTime: Timestamp
    package var returnedCount: Int
    /// Documents skipped by the offset.
    package var skippedCount: Int
    /// Without an index, what a fitting one would have read.
    package var indexEntriesRead: Int
    package var documentsRead = 0
    /// The fields with ranges or other inequalities.
    var rangeFieldCount = 0
    package var explanation = PlanExplanation(indexes: [])

    /// One per document returned or skipped, and one for up to a thousand index entries where these are billed; at least
    /// one.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    package var billedReads: Int {
        max(1, returnedCount + skippedCount + Self.reads(ofIndexEntries: billedIndexEntries))
    }

    /// The index entries that are billed: none where at most one field has a range.
    package var billedIndexEntries: Int { rangeFieldCount > 1 ? indexEntriesRead : 0 }

    /// The reads billed for index entries.
    static func reads(ofIndexEntries count: Int) -> Int { (count + entriesPerRead - 1) / entriesPerRead }

    private static let entriesPerRead = 1_000
}

/// A query's documents in order, and what they cost.
package struct QueryResult: Sendable, Equatable {
    package var documents: [Document]
    package var summary: QuerySummary

    package var readTime: Timestamp { summary.readTime }
    /// Documents skipped by the offset.
    package var skippedCount: Int { summary.skippedCount }
    package var indexEntriesRead: Int { summary.indexEntriesRead }
    /// See ``QuerySummary/billedReads``.
    package var billedReads: Int { summary.billedReads }
}

/// How many documents a query finds, and what it took to count them.
package struct QueryCount: Sendable, Equatable {
    package var count: Int
    /// Those of documents that the offset skipped are among them.
    package var indexEntriesRead: Int
    package var readTime: Timestamp
    package var explanation: PlanExplanation
}
