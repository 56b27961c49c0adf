// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SQLiteDocumentStore {
    /// Reads documents by name, all as of one moment.
    package func get(
        _ paths: [DocumentPath],
        in database: DatabaseID,
        mask: DocumentMask? = nil,
        at time: Timestamp? = nil
    ) throws -> LookupResult {
        try read(at: time, of: database) { session in
            var seen: Set<DocumentPath> = []
            let entries = try paths.filter { seen.insert($0).inserted }.map { path in
                try session.document(at: path, in: database).map { .found($0.selecting(mask)) }
                    ?? LookupResult.Entry.missing(path)
            }
            return LookupResult(entries: entries, readTime: session.readTime, billedReads: paths.count)
        }
    }

    /// The ids of the collections right under a document, or at the root, in the order of their UTF-8 bytes.
    ///
    /// A collection counts when any document is in it or below it. `after` leaves out ids up to and including that
    /// one, the way to the next page.
    package func collectionIDs(
        under parent: DocumentPath?,
        in database: DatabaseID,
        after: String? = nil,
        limit: Int? = nil,
        at time: Timestamp? = nil
    ) throws -> [String] {
        try read(at: time, of: database) { session in
            try session.collectionIDs(under: parent, in: database, after: after, limit: limit)
        }
    }
}
