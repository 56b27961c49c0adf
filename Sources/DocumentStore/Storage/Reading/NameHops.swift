// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The ids in a collection of documents that exist or have others below them, in the order of names.
struct NameHops {
    private let snapshot: StoreSnapshot
    private let collection: CollectionPath
    private let row: Int64?
    private let existence: Existence
    private var hops: CollectionHops
    /// Names from here on are still to come.
    private var lower = OrderedKey()
    /// Of documents that are different now; ascending.
    private let formerIDs: [(key: OrderedKey, id: String)]

    init(snapshot: StoreSnapshot, database: Int64, collection: CollectionPath, existence: Existence) throws {
        self.snapshot = snapshot
        self.collection = collection
        self.row = try snapshot.db.row(of: collection, in: database)
        self.existence = existence
        self.hops = CollectionHops(db: snapshot.db, database: database, belowDocumentsOf: collection)
        self.formerIDs = existence.formerIDs(in: collection)
            .map { (Self.key(of: $0), $0) }
            .sorted { $0.0 < $1.0 }
    }

    /// The next id; the same again until it is skipped.
    mutating func next() throws -> String? {
        let ids = [try nextDocument(), formerIDs.first { $0.key >= lower }?.id, try nextParent()].compactMap(\.self)
        return ids.min { Self.key(of: $0) < Self.key(of: $1) }
    }

    mutating func skip(_ id: String) {
        lower = Self.key(of: id).successor
        hops.skip(id)
    }

    private func nextDocument() throws -> String? {
        guard let row else { return nil }
        var from = lower
        while let id = try existence.firstID(in: row, at: collection, from: from) {
            if existence.existed(DocumentPath(validated: collection.segments + [id])) { return id }
            from = Self.key(of: id).successor
        }
        return nil
    }

    /// The next document with a document somewhere below it.
    private mutating func nextParent() throws -> String? {
        while let hop = try hops.next() {
            if try existence.hasDocuments(hop.row, at: hop.path) { return hop.id }
            hops.skip(hop)
        }
        return nil
    }

    /// An id's place among the names.
    private static func key(of id: String) -> OrderedKey {
        OrderedKey().appending(segment: id, isDocument: true)
    }
}
