// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// A query's documents, read in parts as they are taken, all as of one moment.
///
/// Nothing of the file is held between two parts: each is read in a snapshot of its own, from where the one before
/// stopped, and what changed meanwhile comes from former versions. So a client that reads slowly costs a part of the
/// result, or the keys of one that had to be sorted, and holds up neither writers nor the file.
///
/// For one thread at a time.
package final class QueryCursor {
    private let store: SQLiteDocumentStore
    private let plan: QueryPlan
    private let partByteCountMax: Int
    private let time: Timestamp?
    private var progress: QueryProgress
    /// The time of the read, known with the first part.
    package private(set) var readTime = Timestamp(microseconds: 0)

    /// - Throws: `FirestoreError` for a query that is refused.
    package init(
        _ query: Query,
        of store: SQLiteDocumentStore,
        in database: DatabaseID,
        at time: Timestamp? = nil,
        partByteCountMax: Int = ResultLimits.partByteCountMax
    ) throws {
        self.store = store
        self.plan = try QueryPlan(query, in: database)
        self.partByteCountMax = partByteCountMax
        self.time = time
        self.progress = QueryProgress(QueryDelivery(plan))
    }

    /// Whether all documents were given out.
    package var isFinished: Bool { progress.isFinished }

    /// The cost of the parts so far.
    package var summary: QuerySummary { progress.summary(of: plan, readTime: readTime) }

    /// Reads the next documents; none when that was all, which may show only now.
    ///
    /// - Throws: `FirestoreError` for a time that is yet to come, or too long ago by now.
    package func nextPart() throws -> [Document] {
        guard !progress.isFinished else { return [] }
        var documents: [Document] = []
        var byteCount = 0
        let isFirst = if case .everything = progress.rest { true } else { false }
        // Later commits are later than the first part, so that the time need not be fixed again.
        try store.readWithIndexes(for: plan, at: isFirst ? time : nil) { snapshot in
            let take = { (document: Document) -> Bool in
                documents.append(document)
                byteCount += document.heldByteCount
                return byteCount < self.partByteCountMax
            }
            if isFirst {
                readTime = time ?? snapshot.readTime
                try snapshot.begin(plan, progress: &progress, at: time, while: take)
            } else {
                try snapshot.resume(plan, progress: &progress, at: readTime, while: take)
            }
        }
        return documents
    }
}
