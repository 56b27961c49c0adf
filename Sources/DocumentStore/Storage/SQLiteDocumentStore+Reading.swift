// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension SQLiteDocumentStore {
    /// Reads documents by name, all as of one moment.
    ///
    /// - Throws: `FirestoreError` for a time that is yet to come, or too long ago.
    package func get(
        _ paths: [DocumentPath],
        in database: DatabaseID,
        mask: DocumentMask? = nil,
        at time: Timestamp? = nil
    ) throws -> LookupResult {
        if time == nil, paths.count == 1, let latest = try latest(paths[0], in: database, mask: mask) { return latest }
        return try read(at: time) { snapshot in
            var seen: Set<DocumentPath> = []
            let distinct = paths.count < 2 ? paths : paths.filter { seen.insert($0).inserted }
            let entries = try distinct.map { path in
                let document =
                    try time.map { try snapshot.formerDocument(at: path, in: database, asOf: $0) }
                    ?? snapshot.document(at: path, in: database)
                return try document.map { .found(try $0.selecting(mask)) } ?? LookupResult.Entry.missing(path)
            }
            return LookupResult(entries: entries, readTime: time ?? snapshot.readTime, billedReads: paths.count)
        }
    }

    /// Reads a document in the shortest way; returns `nil` if it is missing and not known since when.
    private func latest(_ path: DocumentPath, in database: DatabaseID, mask: DocumentMask?) throws -> LookupResult? {
        let lastCommit = timeline.lastCommit
        if let document = try latestState(of: path, in: database) {
            // It is as it was at its last change, also when others have changed since the first look.
            let time = timeline.readTime(seeing: max(lastCommit, document.updateTime))
            return LookupResult(entries: [.found(try document.selecting(mask))], readTime: time, billedReads: 1)
        }
        // A document that is missing does not show since when: no commit may have come in between.
        guard let time = timeline.readTime(seeingNothingAfter: lastCommit) else { return nil }
        return LookupResult(entries: [.missing(path)], readTime: time, billedReads: 1)
    }

    /// A document on its way to the file, or in it.
    private func latestState(of path: DocumentPath, in database: DatabaseID) throws -> Document? {
        if let staged = writer.staged?.state(of: path, in: database) { return staged?.document }
        return try Self.translatingErrors {
            try connections.ask { db in
                let collection = try caches.collectionRow(of: path, in: database) { place in
                    let row = try caches.row(of: database) { try db.row(of: database) }
                    return try row.flatMap { row in
                        try caches.row(of: place, in: row) { try db.row(of: place, in: row) }
                    }
                }
                return try collection.flatMap { try db.storedDocument(at: path, in: $0)?.document }
            }
        }
    }

    /// The ids of the collections right under a document, or at the root, in the order of their UTF-8 bytes.
    ///
    /// A collection counts when any document is in it or below it. `after` leaves out ids up to and including that
    /// one, the way to the next page.
    ///
    /// - Throws: `FirestoreError` for a time that is yet to come, or too long ago.
    package func collectionIDs(
        under parent: DocumentPath?,
        in database: DatabaseID,
        after: String? = nil,
        limit: Int? = nil,
        at time: Timestamp? = nil
    ) throws -> [String] {
        try read(at: time) { snapshot in
            try snapshot.collectionIDs(under: parent, in: database, after: after, limit: limit, at: time)
        }
    }

    /// Reads one page of a collection.
    ///
    /// - Throws: `FirestoreError` for a request that is refused, a time that is yet to come, or too long ago.
    package func list(
        _ request: ListRequest,
        in database: DatabaseID,
        at time: Timestamp? = nil
    ) throws -> ListPage {
        let listing = try Listing(request, in: database)
        let plan = try QueryPlan(listing.query, in: database)
        return try readWithIndexes(for: plan, at: time) { snapshot in
            try snapshot.list(listing, plan: plan, at: time)
        }
    }

    /// Reads in a snapshot that has all commits up to a time, if one is given.
    func read<Result>(at time: Timestamp?, _ body: (StoreSnapshot) throws -> Result) throws -> Result {
        if let time {
            guard time == time.truncatedToMicroseconds else { throw FirestoreError.readTimeTooPrecise }
            // A commit before that time is being stored: what waits behind it comes after it.
            if try timeline.fix(time) { try writer.waitForTurn() }
        }
        return try read(body)
    }
}
