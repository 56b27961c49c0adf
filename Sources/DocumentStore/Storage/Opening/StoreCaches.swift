// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// The tables' contents that snapshots know without a query.
///
/// Rows of databases and collections are never changed or removed, so what is known of them holds in every snapshot
/// that has them; in an older one they have no documents.
final class StoreCaches: Sendable {
    /// Beyond these the caches of collections start over.
    private static let collectionCountMax = 20_000
    private static let collectionByteCountMax = 8 << 20

    private struct State {
        var databases: [DatabaseID: Int64] = [:]
        var collections: [CollectionKey: Int64] = [:]
        var collectionByteCount = 0
        /// The collection that a document was last read from; the next one often is from the same.
        var latest: (database: DatabaseID, path: CollectionPath, row: Int64)?
        var places: [Int64: CollectionPlace] = [:]
        var placeByteCount = 0
        var catalog = IndexCatalog.empty
        var useCount: Int64 = 0
        /// When each index was last used, counted in uses.
        var lastUses: [Int64: Int64] = [:]
        var requestedIndexes: [DatabaseID: Set<IndexShape>] = [:]
    }

    private struct CollectionKey: Hashable {
        let database: Int64
        let path: CollectionPath
    }

    let limits: IndexLimits
    private let state = NIOLockedValueBox(State())

    init(limits: IndexLimits) {
        self.limits = limits
    }

    // MARK: Rows; `find` asks the tables of a snapshot.

    func knownRow(of database: DatabaseID) -> Int64? {
        state.withLockedValue { $0.databases[database] }
    }

    func knownRow(of path: CollectionPath, in database: Int64) -> Int64? {
        state.withLockedValue { $0.collections[CollectionKey(database: database, path: path)] }
    }

    func row(of database: DatabaseID, _ find: () throws -> Int64?) throws -> Int64? {
        if let row = knownRow(of: database) { return row }
        guard let row = try find() else { return nil }
        state.withLockedValue { $0.databases[database] = row }
        return row
    }

    func row(of path: CollectionPath, in database: Int64, _ find: () throws -> Int64?) throws -> Int64? {
        let key = CollectionKey(database: database, path: path)
        if let row = knownRow(of: path, in: database) { return row }
        guard let row = try find() else { return nil }
        state.withLockedValue { state in
            if Self.isFull(state.collections.count, byteCount: state.collectionByteCount) {
                state.collections = [:]
                state.collectionByteCount = 0
            }
            if state.collections.updateValue(row, forKey: key) == nil {
                state.collectionByteCount += path.heldByteCount
            }
        }
        return row
    }

    /// The row of the collection that a document is in.
    func collectionRow(
        of document: DocumentPath,
        in database: DatabaseID,
        _ find: (CollectionPath) throws -> Int64?
    ) throws -> Int64? {
        let known = state.withLockedValue { state -> Int64? in
            guard let latest = state.latest, latest.database == database, document.isIn(latest.path) else { return nil }
            return latest.row
        }
        if let known { return known }
        let path = document.collection
        guard let row = try find(path) else { return nil }
        state.withLockedValue { $0.latest = (database, path, row) }
        return row
    }

    func place(of collection: Int64, _ find: () throws -> CollectionPlace) throws -> CollectionPlace {
        if let place = state.withLockedValue({ $0.places[collection] }) { return place }
        let place = try find()
        state.withLockedValue { state in
            if Self.isFull(state.places.count, byteCount: state.placeByteCount) {
                state.places = [:]
                state.placeByteCount = 0
            }
            if state.places.updateValue(place, forKey: collection) == nil {
                state.placeByteCount += place.path.heldByteCount
            }
        }
        return place
    }

    private static func isFull(_ count: Int, byteCount: Int) -> Bool {
        count >= collectionCountMax || byteCount >= collectionByteCountMax
    }

    // MARK: Indexes

    /// The indexes of a snapshot, which says their version.
    func catalog(version: Int64, _ load: () throws -> IndexCatalog) throws -> IndexCatalog {
        let known = state.withLockedValue(\.catalog)
        if known.version == version { return known }
        let catalog = try load()
        state.withLockedValue { state in
            // A reader of an old snapshot must not replace what is newer.
            if state.catalog.version < version { state.catalog = catalog }
        }
        return catalog
    }

    func noteUse(of index: Int64) {
        state.withLockedValue { state in
            state.useCount += 1
            state.lastUses[index] = state.useCount
        }
    }

    /// Higher for an index used later; 0 for one not used since the store was opened.
    func lastUse(of index: Int64) -> Int64 {
        state.withLockedValue { $0.lastUses[index] ?? 0 }
    }

    /// Asks for indexes that a read did without.
    func requestIndexes(for shapes: Set<IndexShape>, in database: DatabaseID) {
        state.withLockedValue { $0.requestedIndexes[database, default: []].formUnion(shapes) }
    }

    /// The indexes asked for since the last time.
    func takeRequestedIndexes() -> [DatabaseID: Set<IndexShape>] {
        state.withLockedValue { state in
            defer { if !state.requestedIndexes.isEmpty { state.requestedIndexes = [:] } }
            return state.requestedIndexes
        }
    }
}

/// Where a collection is.
struct CollectionPlace: Sendable {
    /// The row of the database.
    let database: Int64
    let path: CollectionPath
}

extension CollectionPath {
    /// The memory of a path, roughly.
    fileprivate var heldByteCount: Int {
        segments.reduce(64) { $0 + MemoryLayout<String>.size + 32 + $1.utf8.count }
    }
}
