// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension StoreTransaction {
    /// How many entries are sorted in memory before they are written.
    private static let sortedCountMax = 200_000

    /// Builds indexes, unless another caller did so in the meantime.
    func build(_ shapes: [IndexShape], in database: DatabaseID) throws {
        guard let database = try rows.row(of: database) else { return }
        let missing = shapes.filter { catalog.id(of: $0, in: database) == nil }
        guard !missing.isEmpty else { return }
        var kept = catalog.members
        for shape in missing {
            try makeRoom(for: shape, in: database, kept: &kept)
            try build(shape, in: database)
        }
        try db.run(.changeCatalog)
    }

    /// Drops the index not used for longest when there are too many.
    private func makeRoom(for shape: IndexShape, in database: Int64, kept: inout [IndexCatalog.Member]) throws {
        let ofScope = kept.filter { $0.database == database && $0.shape.scope == shape.scope }
        if ofScope.count >= caches.limits.indexCountMaxPerScope {
            try drop(among: ofScope, kept: &kept)
        } else if kept.count >= caches.limits.indexCountMax {
            try drop(among: kept, kept: &kept)
        }
    }

    private func drop(among members: [IndexCatalog.Member], kept: inout [IndexCatalog.Member]) throws {
        guard let oldest = members.min(by: { caches.lastUse(of: $0.id) < caches.lastUse(of: $1.id) }) else { return }
        try db.run(.deleteIndex) { $0.bind(oldest.id, at: 1) }
        try db.run(.deleteEntries) { $0.bind(oldest.id, at: 1) }
        kept.removeAll { $0.id == oldest.id }
    }

    private func build(_ shape: IndexShape, in database: Int64) throws {
        try db.run(.insertIndex) { statement in
            statement.bind(database, at: 1)
            statement.bind(shape.scope.kind, at: 2)
            statement.bind(shape.scope.place, at: 3)
            statement.bind(IndexShape.Part.encode(shape.parts), at: 4)
        }
        let index = db.lastInsertedRow
        var sorter = EntrySorter()
        try visitDocuments(of: shape, in: database) { rows, collection in
            for key in try keys(of: shape, from: rows, in: collection) {
                sorter.add(key, row: rows.integer(at: 0))
            }
            if sorter.count >= Self.sortedCountMax { try insert(&sorter, into: index) }
        }
        try insert(&sorter, into: index)
    }

    private func keys(
        of shape: IndexShape,
        from rows: SQLiteStatement,
        in collection: OrderedKey
    ) throws -> [OrderedKey] {
        do {
            return try rows.withBytes(at: 3) { fields in
                try rows.withBytes(at: 2) { try shape.keys(of: fields, in: collection, name: $0) }
            }
        } catch {
            let collection = try db.place(of: rows.integer(at: 1)).path
            throw FirestoreError.damaged(try rows.path(in: collection, column: 2))
        }
    }

    /// Goes through the documents of an index, given the prefix of their names; in whatever order is fastest.
    private func visitDocuments(
        of shape: IndexShape,
        in database: Int64,
        _ visitor: (SQLiteStatement, OrderedKey) throws -> Void
    ) throws {
        let walk = CollectionWalk(db: db, database: database)
        let places = try walk.collections(of: shape.scope)
        let prefixes = Dictionary(uniqueKeysWithValues: places.map { ($0.row, shape.namePrefix(of: $0.path)) })
        let total = try Int(db.first(.newestDocumentID) { $0.integer(at: 0) } ?? 0)
        // The way over a collection's names leads all over the file: pass over other documents rather than that.
        let isMost = try walk.documentCount(of: places, upTo: total / 4 + 1) > total / 4
        for place in isMost ? [nil] : places.map(\.row) {
            try db.with(place == nil ? .allDocuments : .documentsOfCollection) { rows in
                if let place { rows.bind(place, at: 1) }
                while try rows.step() {
                    guard let prefix = prefixes[rows.integer(at: 1)] else { continue }
                    try visitor(rows, prefix)
                }
            }
        }
    }

    /// Written in order, entries fill one page after the other.
    private func insert(_ sorter: inout EntrySorter, into index: Int64) throws {
        try db.with(.insertEntry) { statement in
            statement.bind(index, at: 1)
            try sorter.drain { key, row in
                statement.bind(inPlace: key, at: 2)
                statement.bind(row, at: 3)
                try statement.run()
                statement.reset()
            }
        }
    }
}
