// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Finds collections below a document by hopping from one to the next.
struct CollectionHops {
    struct Hop {
        let row: Int64
        let path: CollectionPath
        /// The first segment after the parent.
        let id: String
    }

    private let db: SQLiteConnection
    private let database: Int64
    private let parentSegmentCount: Int
    private let prefix: OrderedKey
    private var interval: KeyInterval

    /// Below a document, or the root: at first everything is still to come.
    init(db: SQLiteConnection, database: Int64, under parent: DocumentPath?) {
        self.db = db
        self.database = database
        self.parentSegmentCount = parent?.segments.count ?? 0
        self.prefix = OrderedKey(segmentsOf: parent)
        self.interval = KeyInterval(prefix: prefix + OrderedKey([PathTag.string]))
    }

    /// Below the documents of a collection.
    init(db: SQLiteConnection, database: Int64, belowDocumentsOf collection: CollectionPath) {
        self.db = db
        self.database = database
        self.parentSegmentCount = collection.segments.count
        self.prefix = OrderedKey(collection)
        self.interval = KeyInterval(prefix + OrderedKey([PathTag.number]), prefix.successor)
    }

    /// The next collection; the same again until it is skipped.
    mutating func next() throws -> Hop? {
        let found = try db.first(.firstCollection) { [interval] statement in
            statement.bind(database, at: 1)
            statement.bind(interval.lower.bytes, at: 2)
            statement.bind(interval.upper.bytes, at: 3)
        } _: {
            (row: $0.integer(at: 0), key: $0.bytes(at: 1))
        }
        guard let found else { return nil }
        let path = try PathKeyDecoder.decodeCollection(found.key)
        interval.lower = OrderedKey(found.key)
        return Hop(row: found.row, path: path, id: path.segments[parentSegmentCount])
    }

    /// Goes on after everything below a first segment.
    mutating func skip(_ id: String) {
        interval.lower = prefix.appending(segment: id, isDocument: !parentSegmentCount.isMultiple(of: 2)).successor
    }

    /// Goes on after a single collection.
    mutating func skip(_ hop: Hop) {
        interval.lower = OrderedKey(hop.path) + OrderedKey([0])
    }
}

extension OrderedKey {
    func appending(segment: String, isDocument: Bool) -> OrderedKey {
        var encoder = KeyEncoder()
        encoder.append(segment: segment, isDocument: isDocument)
        return self + encoder.key
    }
}
