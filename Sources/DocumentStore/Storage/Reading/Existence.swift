// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Returns which collections and documents there are, now or at a time.
struct Existence {
    private let snapshot: StoreSnapshot
    /// The difference at the time; `nil` for now.
    private let former: [DocumentPath: Document?]
    /// Collections that had a document then which is gone or different now.
    private let formerCollections: Set<CollectionPath>

    init(snapshot: StoreSnapshot, database: DatabaseID, at time: Timestamp?) throws {
        self.snapshot = snapshot
        let everything = QueryScope.everything(under: nil, isDeep: true)
        self.former = try time.map { try snapshot.changesSince($0, in: everything, of: database) } ?? [:]
        self.formerCollections = Set(former.values.compactMap { $0?.path.collection })
    }

    /// Whether any document is right in a collection.
    func hasDocuments(_ row: Int64, at path: CollectionPath) throws -> Bool {
        try formerCollections.contains(path) || firstID(in: row, at: path, from: OrderedKey(), skipsFormer: true) != nil
    }

    /// The first document's id, from a name on.
    func firstID(in row: Int64, at path: CollectionPath, from lower: OrderedKey) throws -> String? {
        try firstID(in: row, at: path, from: lower, skipsFormer: false)
    }

    private func firstID(
        in row: Int64,
        at path: CollectionPath,
        from start: OrderedKey,
        skipsFormer: Bool
    ) throws -> String? {
        var lower = start
        while let document = try firstDocument(in: row, at: path, from: lower) {
            guard skipsFormer, former[document] != nil else { return document.id }
            lower = OrderedKey(nameOf: document).successor
        }
        return nil
    }

    private func firstDocument(in row: Int64, at path: CollectionPath, from lower: OrderedKey) throws -> DocumentPath? {
        try snapshot.db.first(.firstDocument) { statement in
            statement.bind(row, at: 1)
            statement.bind(lower.bytes, at: 2)
        } _: {
            try $0.path(in: path, column: 0)
        }
    }

    /// The documents of then in a collection that are different now.
    func formerIDs(in path: CollectionPath) -> [String] {
        guard formerCollections.contains(path) else { return [] }
        return former.compactMap { $0.value != nil && $0.key.collection == path ? $0.key.id : nil }
    }

    /// Whether a document of today was there then.
    func existed(_ path: DocumentPath) -> Bool {
        guard let former = former[path] else { return true }
        return former != nil
    }
}
