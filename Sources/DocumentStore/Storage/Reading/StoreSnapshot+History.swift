// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension StoreSnapshot {
    /// All documents of a scope that changed after a time, as they were then; `nil` for one that did not exist.
    ///
    /// - Throws: `FirestoreError` (failed precondition) when the time is too long ago: before the versions that
    ///   are kept, before all documents of the database were deleted at once, or before the store's first moment.
    func formerDocuments(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp
    ) throws -> [DocumentPath: Document?] {
        try requireKnown(time)
        return try changesSince(time, in: scope, of: database)
    }

    /// The names of what `formerDocuments(in:of:since:)` finds, in order, for what would take too much memory at once.
    ///
    /// - Throws: As `formerDocuments(in:of:since:)`.
    func changedPaths(in scope: QueryScope, of database: DatabaseID, since time: Timestamp) throws -> [DocumentPath] {
        try requireKnown(time)
        try requireKept(time, in: database)
        return try Array(pathsChanged(since: time, in: scope, of: database)).inNameOrder
    }

    /// A document as it was at a time.
    ///
    /// - Throws: As `formerDocuments(in:of:since:)`.
    func document(at path: DocumentPath, in database: DatabaseID, asOf time: Timestamp) throws -> Document? {
        try requireKnown(time)
        return try formerDocument(at: path, in: database, asOf: time)
    }

    /// Refuses times before the store's first: what clients know of them is from another store.
    private func requireKnown(_ time: Timestamp) throws {
        let began = try db.first(.history) { Timestamp(microseconds: $0.integer(at: 0)) }
        guard time >= began ?? time else { throw FirestoreError.readTimeTooOld }
    }

    /// Refuses times of which the versions are gone.
    func requireKept(_ time: Timestamp, in database: DatabaseID) throws {
        let since = try db.first(.history) { Timestamp(microseconds: $0.integer(at: 1)) } ?? time
        let cleared = try db.clearTime(of: database) ?? since
        guard readTime.microseconds - time.microseconds <= VersionLimits.retentionMicroseconds,
            time >= max(since, cleared)
        else { throw FirestoreError.readTimeTooOld }
    }

    func formerDocument(at path: DocumentPath, in database: DatabaseID, asOf time: Timestamp) throws -> Document? {
        try requireKept(time, in: database)
        return try keptDocument(at: path, in: database, asOf: time)
    }

    /// A document as it was at a time whose versions are kept.
    func keptDocument(at path: DocumentPath, in database: DatabaseID, asOf time: Timestamp) throws -> Document? {
        guard let collection = try row(of: path.collection, in: database) else { return nil }
        let former = try db.first(.versionAfter) { statement in
            statement.bind(collection, at: 1)
            statement.bind(OrderedKey(nameOf: path).bytes, at: 2)
            statement.bind(time.microseconds, at: 3)
        } _: {
            $0.document(at: path, column: 0)
        }
        let document = try former ?? db.storedDocument(at: path, in: collection)?.document
        return document.flatMap { $0.updateTime <= time ? $0 : nil }
    }

    /// The documents of a scope that are not as they were at a time whose versions are kept, by name.
    func pathsChanged(
        since time: Timestamp,
        in scope: QueryScope,
        of database: DatabaseID
    ) throws -> Set<DocumentPath> {
        var paths: Set<DocumentPath> = []
        guard let databaseRow = try row(of: database) else { return paths }
        try db.with(.newestDocuments) { rows in
            while try rows.step(), rows.integer(at: 2) > time.microseconds {
                guard let collection = try collection(rows.integer(at: 0), in: scope, of: databaseRow) else { continue }
                paths.insert(try rows.path(in: collection, column: 1))
            }
        }
        try db.with(.newestVersions) { rows in
            while try rows.step(), rows.integer(at: 0) > time.microseconds {
                guard let collection = try collection(rows.integer(at: 1), in: scope, of: databaseRow) else { continue }
                paths.insert(try rows.path(in: collection, column: 2))
            }
        }
        return paths
    }

    /// The result of `formerDocuments`, also for times before the store's first: then there was nothing.
    func changesSince(
        _ time: Timestamp,
        in scope: QueryScope,
        of database: DatabaseID
    ) throws -> [DocumentPath: Document?] {
        try requireKept(time, in: database)
        var former: [DocumentPath: Document?] = [:]
        guard let databaseRow = try row(of: database) else { return former }
        try addCreated(after: time, in: scope, of: databaseRow, to: &former)
        try addReplaced(after: time, in: scope, of: databaseRow, to: &former)
        return former
    }

    /// Documents whose present form was made after the time; most did not exist then.
    private func addCreated(
        after time: Timestamp,
        in scope: QueryScope,
        of database: Int64,
        to former: inout [DocumentPath: Document?]
    ) throws {
        try db.with(.newestDocuments) { rows in
            while try rows.step(), rows.integer(at: 2) > time.microseconds {
                guard let collection = try collection(rows.integer(at: 0), in: scope, of: database) else { continue }
                former.updateValue(nil, forKey: try rows.path(in: collection, column: 1))
            }
        }
    }

    /// The earliest version that ended after the time is the one of then, unless it had not begun.
    private func addReplaced(
        after time: Timestamp,
        in scope: QueryScope,
        of database: Int64,
        to former: inout [DocumentPath: Document?]
    ) throws {
        try db.with(.newestVersions) { rows in
            while try rows.step(), rows.integer(at: 0) > time.microseconds {
                guard let collection = try collection(rows.integer(at: 1), in: scope, of: database) else { continue }
                let document = rows.document(at: try rows.path(in: collection, column: 2), column: 3)
                former.updateValue(document.updateTime <= time ? document : nil, forKey: document.path)
            }
        }
    }

    /// A collection, if it is in a scope.
    private func collection(_ row: Int64, in scope: QueryScope, of database: Int64) throws -> CollectionPath? {
        let place = try place(of: row)
        return place.database == database && scope.contains(documentsOf: place.path) ? place.path : nil
    }
}

extension QueryScope {
    /// Whether the documents right in a collection are in the scope.
    fileprivate func contains(documentsOf collection: CollectionPath) -> Bool {
        switch self {
        case .collection(let path): path == collection
        case .group(let id, let parent): collection.id.hasSameBytes(as: id) && collection.isBelow(parent)
        case .everything(let parent, isDeep: true): collection.isBelow(parent)
        case .everything(let parent, isDeep: false):
            collection.isBelow(parent) && collection.segments.count == (parent?.segments.count ?? 0) + 1
        }
    }
}

extension CollectionPath {
    fileprivate func isBelow(_ ancestor: DocumentPath?) -> Bool {
        guard let ancestor else { return true }
        return segments.count > ancestor.segments.count
            && segments.prefix(ancestor.segments.count).hasSameBytes(as: ancestor.segments)
    }
}
