// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The indexes there are, as of some snapshot.
struct IndexCatalog: Sendable {
    struct Member: Sendable {
        let id: Int64
        /// The row of the database.
        let database: Int64
        let shape: IndexShape
    }

    private struct Key: Hashable {
        let database: Int64
        let scope: IndexShape.Scope
    }

    /// Counts the changes.
    let version: Int64
    let members: [Member]
    private let byScope: [Key: [Member]]

    static let empty = IndexCatalog(version: 0, members: [])

    init(version: Int64, members: [Member]) {
        self.version = version
        self.members = members
        self.byScope = Dictionary(grouping: members) { Key(database: $0.database, scope: $0.shape.scope) }
    }

    func id(of shape: IndexShape, in database: Int64) -> Int64? {
        guard !members.isEmpty else { return nil }
        return self.members(of: shape.scope, in: database).first { $0.shape == shape }?.id
    }

    func members(of scope: IndexShape.Scope, in database: Int64) -> [Member] {
        byScope[Key(database: database, scope: scope)] ?? []
    }

    /// The indexes in which a collection's documents have entries.
    func members(holding collection: CollectionPath, in database: Int64) -> [Member] {
        guard !members.isEmpty else { return [] }
        return members(of: .collection(collection), in: database)
            + members(of: .group(Array(collection.id.utf8)), in: database)
            + members(of: .everything, in: database)
    }
}
