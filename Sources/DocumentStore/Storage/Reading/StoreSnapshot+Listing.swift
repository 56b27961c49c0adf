// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension StoreSnapshot {
    func list(_ listing: Listing, plan: QueryPlan, at time: Timestamp?) throws -> ListPage {
        let entries =
            listing.showsMissing
            ? try everyName(of: listing, at: time) : try documents(of: plan, at: time)
        let page = entries.prefix(listing.pageSize)
        let hasMore = entries.count > page.count
        return ListPage(
            entries: try page.map { try $0.selecting(listing.mask) },
            nextPageToken: hasMore ? try page.last.map { try listing.pageToken(after: $0.document) } : nil,
            readTime: time ?? readTime,
            billedReads: max(1, page.count)
        )
    }

    private func documents(of plan: QueryPlan, at time: Timestamp?) throws -> [LookupResult.Entry] {
        var entries: [LookupResult.Entry] = []
        _ = try run(plan, at: time) { document in
            entries.append(.found(document))
            return true
        }
        return entries
    }

    /// The documents of a collection and those that only have others below them, hopping from name to name.
    private func everyName(of listing: Listing, at time: Timestamp?) throws -> [LookupResult.Entry] {
        guard let database = try row(of: listing.database) else { return [] }
        let existence = try Existence(snapshot: self, database: listing.database, at: time)
        var names = try NameHops(
            snapshot: self,
            database: database,
            collection: listing.collection,
            existence: existence
        )
        if case .reference(let last) = listing.query.startAt?.values.last {
            names.skip(last.path.id)
        }
        var entries: [LookupResult.Entry] = []
        while entries.count <= listing.pageSize, let id = try names.next() {
            let path = DocumentPath(validated: listing.collection.segments + [id])
            let document =
                try time.map { try formerDocument(at: path, in: listing.database, asOf: $0) }
                ?? document(at: path, in: listing.database)
            entries.append(document.map { .found($0) } ?? .missing(path))
            names.skip(id)
        }
        return entries
    }

    /// Hops from one collection id to the next, whatever is in between.
    func collectionIDs(
        under parent: DocumentPath?,
        in database: DatabaseID,
        after: String?,
        limit: Int?,
        at time: Timestamp?
    ) throws -> [String] {
        guard let row = try row(of: database) else { return [] }
        let existence = try Existence(snapshot: self, database: database, at: time)
        var hops = CollectionHops(db: db, database: row, under: parent)
        if let after { hops.skip(after) }
        var ids: [String] = []
        while ids.count < limit ?? .max, let hop = try hops.next() {
            if try existence.hasDocuments(hop.row, at: hop.path) {
                ids.append(hop.id)
                hops.skip(hop.id)
            } else {
                hops.skip(hop)
            }
        }
        return ids
    }
}

extension LookupResult.Entry {
    fileprivate func selecting(_ mask: DocumentMask?) throws -> LookupResult.Entry {
        guard case .found(let document) = self else { return self }
        return .found(try document.selecting(mask))
    }

    /// The document; for a missing one, an empty one in its place.
    fileprivate var document: Document {
        switch self {
        case .found(let document): document
        case .missing(let path):
            Document(
                path: path,
                fields: [:],
                createTime: Timestamp(microseconds: 0),
                updateTime: Timestamp(microseconds: 0)
            )
        }
    }
}
