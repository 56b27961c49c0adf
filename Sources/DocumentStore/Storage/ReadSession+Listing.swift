// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension ReadSession {
    func list(_ listing: Listing) throws -> ListPage {
        let entries = listing.showsMissing ? try everyName(of: listing) : try documents(of: listing)
        let page = entries.prefix(listing.pageSize)
        let hasMore = entries.count > page.count
        return ListPage(
            entries: page.map { $0.selecting(listing.mask) },
            nextPageToken: hasMore ? page.last.map { listing.pageToken(after: $0.document) } : nil,
            readTime: readTime,
            billedReads: max(1, page.count)
        )
    }

    private func documents(of listing: Listing) throws -> [LookupResult.Entry] {
        var entries: [LookupResult.Entry] = []
        _ = try run(try QueryPlan(listing.query, in: listing.database)) { entries.append(.found($0)) }
        return entries
    }

    /// The documents of a collection and those that only have others below them: hops over whatever is below.
    private func everyName(of listing: Listing) throws -> [LookupResult.Entry] {
        guard let database = try db.id(of: listing.database) else { return [] }
        let collection = OrderedKey(listing.collection)
        var interval = KeyInterval(prefix: collection)
        if case .reference(let last) = listing.query.startAt?.values.last {
            interval.lower = collection.appending(segment: last.path.id, isDocument: true).successor
        }
        var entries: [LookupResult.Entry] = []
        while entries.count <= listing.pageSize, let key = try db.firstPath(in: interval, of: database, asOf: past) {
            var decoder = PathKeyDecoder(Array(key.dropFirst(collection.bytes.count)))
            guard let id = try decoder.nextSegment() else { throw DocumentStoreError.corrupted("a path") }
            let path = DocumentPath(validated: listing.collection.segments + [id])
            let document = try document(at: path, in: listing.database)
            entries.append(document.map { .found($0) } ?? .missing(path))
            interval.lower = collection.appending(segment: id, isDocument: true).successor
        }
        return entries
    }
}

extension LookupResult.Entry {
    fileprivate func selecting(_ mask: DocumentMask?) -> LookupResult.Entry {
        guard case .found(let document) = self else { return self }
        return .found(document.selecting(mask))
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
