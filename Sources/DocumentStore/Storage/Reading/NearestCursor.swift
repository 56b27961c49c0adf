// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The documents nearest to a vector, given out in parts as they are taken, all as of one moment.
///
/// For one thread at a time.
package final class NearestCursor {
    private let search: NearestSearch
    private let query: Query
    private let store: SQLiteDocumentStore
    private let database: DatabaseID
    private let time: Timestamp?
    private let partByteCountMax: Int
    /// Found, and not given out.
    private var rest: ArraySlice<NearestFold.Member> = []
    private var fold: NearestFold
    private var lookup: LookupCursor?
    private var hasSearched = false
    /// The cost of the search, known with the first part.
    package private(set) var summary = QuerySummary(
        readTime: Timestamp(microseconds: 0),
        returnedCount: 0,
        skippedCount: 0,
        indexEntriesRead: 0
    )
    /// How many documents have been given out.
    package private(set) var returnedCount = 0

    package init(
        _ search: NearestSearch,
        among query: Query,
        of store: SQLiteDocumentStore,
        in database: DatabaseID,
        at time: Timestamp? = nil,
        partByteCountMax: Int = ResultLimits.partByteCountMax
    ) {
        self.search = search
        self.query = query
        self.store = store
        self.database = database
        self.time = time
        self.partByteCountMax = partByteCountMax
        self.fold = NearestFold(search)
    }

    /// Whether all documents were given out.
    package var isFinished: Bool { hasSearched && rest.isEmpty }

    /// Reads the next documents, all of the query's before the first.
    ///
    /// - Throws: `FirestoreError` for a query that is refused, a time that is yet to come, or too long ago.
    package func nextPart() throws -> [Document] {
        if !hasSearched { try find() }
        let documents = try nextDocuments()
        returnedCount += documents.count
        return documents
    }

    private func find() throws {
        // The projection leaves out the vector, so it comes last.
        var whole = query
        whole.projection = nil
        summary = try store.run(whole, in: database, at: time) { try fold.add($0) }
        hasSearched = true
        rest = fold.members[...]
        guard rest.contains(where: { $0.document == nil }) else { return }
        lookup = LookupCursor(
            rest.map(\.path),
            of: store,
            in: database,
            at: summary.readTime,
            partByteCountMax: partByteCountMax
        )
    }

    private func nextDocuments() throws -> [Document] {
        guard let lookup else {
            defer { rest = [] }
            return try rest.compactMap { member in
                try member.document.map { try fold.finish($0, at: member.distance).selecting(query.projection) }
            }
        }
        return try lookup.nextPart().entries.compactMap { entry in
            guard case .found(let document) = entry, let member = rest.popFirst() else {
                throw FirestoreError.corrupted("a document without its former version")
            }
            return try fold.finish(document, at: member.distance).selecting(query.projection)
        }
    }
}
