// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Goes through collections and their documents, in the order of names.
struct CollectionWalk {
    struct Place {
        let row: Int64
        let path: CollectionPath
    }

    let db: SQLiteConnection
    /// The row of the database.
    let database: Int64

    /// The collections of an index.
    func collections(of scope: IndexShape.Scope) throws -> [Place] {
        switch scope {
        case .collection(let path):
            try db.row(of: path, in: database).map { [Place(row: $0, path: path)] } ?? []
        case .group(let id): try collections(ofGroup: id, in: KeyInterval())
        case .everything: try collections(in: KeyInterval())
        }
    }

    /// The collections of a query.
    func collections(of scope: QueryScope) throws -> [Place] {
        switch scope {
        case .collection(let path):
            try db.row(of: path, in: database).map { [Place(row: $0, path: path)] } ?? []
        case .group(let id, _):
            try collections(ofGroup: Array(id.utf8), in: scope.names)
        case .everything(_, isDeep: true):
            try collections(in: scope.names)
        case .everything(let parent, isDeep: false):
            try childIDs(under: parent).compactMap { id in
                let path = CollectionPath(validated: (parent?.segments ?? []) + [id])
                return try db.row(of: path, in: database).map { Place(row: $0, path: path) }
            }
        }
    }

    /// The ids of the collections right under a document, empty ones too: hops over whatever is below them.
    private func childIDs(under parent: DocumentPath?) throws -> [String] {
        var ids: [String] = []
        var hops = CollectionHops(db: db, database: database, under: parent)
        while let next = try hops.next() {
            ids.append(next.id)
            hops.skip(next.id)
        }
        return ids
    }

    private func collections(in interval: KeyInterval) throws -> [Place] {
        try db.with(.collectionsInRange) { rows in
            rows.bind(database, at: 1)
            rows.bind(interval.lower.bytes, at: 2)
            rows.bind(interval.upper.bytes, at: 3)
            return try places(rows)
        }
    }

    private func collections(ofGroup id: [UInt8], in interval: KeyInterval) throws -> [Place] {
        try db.with(.collectionsInGroup) { rows in
            rows.bind(database, at: 1)
            rows.bind(id, at: 2)
            rows.bind(interval.lower.bytes, at: 3)
            rows.bind(interval.upper.bytes, at: 4)
            return try places(rows)
        }
    }

    private func places(_ rows: SQLiteStatement) throws -> [Place] {
        var places: [Place] = []
        while try rows.step() {
            let path = try PathKeyDecoder.decodeCollection(rows.bytes(at: 1))
            places.append(Place(row: rows.integer(at: 0), path: path))
        }
        return places
    }

    /// Hands out every document until the visitor has enough; returns whether it went to the end.
    @discardableResult
    func visitDocuments(of places: [Place], _ visitor: (Int64, Document) throws -> Bool) throws -> Bool {
        for place in places {
            let range = KeyInterval()
            let wantsMore = try db.visitDocuments(of: place, in: range, direction: .ascending) { columns in
                try visitor(columns.row, columns.document)
            }
            guard wantsMore else { return false }
        }
        return true
    }

    /// Counts documents, no further than a limit.
    func documentCount(of places: [Place], upTo limit: Int) throws -> Int {
        var count = 0
        for place in places where count < limit {
            count += try db.countDocuments(of: place.row, in: KeyInterval(), upTo: limit - count)
        }
        return count
    }
}

extension SQLiteConnection {
    /// Hands out a collection's documents with names in an interval until the visitor has enough; returns whether it
    /// went to the end.
    func visitDocuments(
        of place: CollectionWalk.Place,
        in interval: KeyInterval,
        direction: Query.Direction,
        _ visitor: (StoredColumns) throws -> Bool
    ) throws -> Bool {
        try with(direction == .ascending ? .documentsAscending : .documentsDescending) { rows in
            rows.bind(place.row, at: 1)
            rows.bind(interval.lower.bytes, at: 2)
            rows.bind(interval.upper.bytes, at: 3)
            while try rows.step() {
                guard try visitor(StoredColumns(statement: rows, collection: place.path)) else { return false }
            }
            return true
        }
    }

    func countDocuments(of collection: Int64, in interval: KeyInterval, upTo limit: Int) throws -> Int {
        try first(.countDocuments) { statement in
            statement.bind(collection, at: 1)
            statement.bind(interval.lower.bytes, at: 2)
            statement.bind(interval.upper.bytes, at: 3)
            statement.bind(Int64(limit), at: 4)
        } _: {
            Int($0.integer(at: 0))
        } ?? 0
    }
}
