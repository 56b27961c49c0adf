// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

extension ReadSession {
    /// The time of the last commit this session sees, in any database.
    func lastCommitTime() throws -> Timestamp { try db.lastCommitTime() }

    /// A document as it was at a time.
    ///
    /// - Throws: `DocumentStoreError` (failed precondition) when the time is too long ago.
    func document(at path: DocumentPath, in database: DatabaseID, asOf time: Timestamp) throws -> Document? {
        try refuseForgotten(time, of: database)
        guard let id = try db.id(of: database) else { return nil }
        let key = OrderedKey(path)
        let interval = KeyInterval(key, key.successor)
        if let version = try db.versions(in: interval, of: id, after: time).first {
            return version.updateTime <= time ? version : nil
        }
        return try db.storedDocument(at: path, in: id).flatMap { $0.document.updateTime <= time ? $0.document : nil }
    }

    /// The documents of a scope that changed after a time, as they were then; `nil` for one that did not exist.
    ///
    /// - Throws: `DocumentStoreError` (failed precondition) when the time is too long ago.
    func formerDocuments(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp
    ) throws -> [DocumentPath: Document?] {
        try refuseForgotten(time, of: database)
        guard let id = try db.id(of: database) else { return [:] }
        var former: [DocumentPath: Document?] = [:]
        for path in try db.changedPaths(in: scope.paths, of: id, after: time) where scope.includes(path) {
            former[path] = .some(nil)
        }
        // The first version of each document is the one of that time.
        var seen: Set<DocumentPath> = []
        for version in try db.versions(in: scope.paths, of: id, after: time) where scope.includes(version.path) {
            guard seen.insert(version.path).inserted else { continue }
            former[version.path] = .some(version.updateTime <= time ? version : nil)
        }
        return former
    }

    /// The documents of a scope that are no longer what they were at a time, as they were.
    func replacedDocuments(in scope: QueryScope, of database: Int64, since time: Timestamp) throws -> [Document] {
        var seen: Set<DocumentPath> = []
        return try db.versions(in: scope.paths, of: database, after: time).filter { version in
            scope.includes(version.path) && seen.insert(version.path).inserted && version.updateTime <= time
        }
    }

    /// Refuses a time from before the database was cleared, or of which versions are no longer kept.
    func refuseForgotten(_ time: Timestamp, of database: DatabaseID) throws {
        let oldest = readTime.microseconds - VersionLimits.retention.components.seconds * 1_000_000
        guard time.microseconds >= max(oldest, try db.clearTime(of: database)) else {
            throw DocumentStoreError.readTimeTooOld
        }
    }
}

extension QueryScope {
    /// The names of this scope among all documents, and perhaps others.
    fileprivate var paths: KeyInterval {
        switch self {
        case .collection(let path): KeyInterval(prefix: OrderedKey(path))
        case .group, .everything: names
        }
    }

    /// Whether a document is in this scope.
    fileprivate func includes(_ path: DocumentPath) -> Bool {
        switch self {
        case .collection(let collection): path.collection == collection
        case .group(let id, _): path.collection.id.hasSameBytes(as: id) && contains(path)
        case .everything: contains(path)
        }
    }
}

extension Database {
    fileprivate func versions(
        in interval: KeyInterval,
        of database: Int64,
        after time: Timestamp
    ) throws -> [Document] {
        let statement = try cachedStatement(
            sql: """
                SELECT path, create_time, update_time, data FROM versions
                WHERE database = ? AND path >= ? AND path < ? AND until > ? ORDER BY path, until
                """
        )
        let rows = try Row.fetchCursor(
            statement,
            arguments: [database, Data(interval.lower.bytes), Data(interval.upper.bytes), time.microseconds]
        )
        var documents: [Document] = []
        while let row = try rows.next() {
            documents.append(
                Document(
                    path: try PathKeyDecoder.decode(try row.bytes(atIndex: 0)),
                    fields: try FieldsDecoder.decode(try row.bytes(atIndex: 3)),
                    createTime: Timestamp(microseconds: row[1]),
                    updateTime: Timestamp(microseconds: row[2])
                )
            )
        }
        return documents
    }

    fileprivate func changedPaths(
        in interval: KeyInterval,
        of database: Int64,
        after time: Timestamp
    ) throws -> [DocumentPath] {
        let statement = try cachedStatement(
            sql: "SELECT path FROM documents WHERE database = ? AND path >= ? AND path < ? AND update_time > ?"
        )
        let rows = try Row.fetchCursor(
            statement,
            arguments: [database, Data(interval.lower.bytes), Data(interval.upper.bytes), time.microseconds]
        )
        var paths: [DocumentPath] = []
        while let row = try rows.next() {
            paths.append(try PathKeyDecoder.decode(try row.bytes(atIndex: 0)))
        }
        return paths
    }

    fileprivate func clearTime(of database: DatabaseID) throws -> Int64 {
        let statement = try cachedStatement(sql: "SELECT cleared FROM databases WHERE project = ? AND name = ?")
        return try Int64.fetchOne(statement, arguments: [database.project, database.database]) ?? 0
    }
}
