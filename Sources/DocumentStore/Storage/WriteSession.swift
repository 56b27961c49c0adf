// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

/// Writes within one transaction, all at the same time.
final class WriteSession {
    let db: Database
    let commitTime: Timestamp
    private var scopeIDs: [IndexScope: Int64] = [:]

    init(db: Database, commitTime: Timestamp) {
        self.db = db
        self.commitTime = commitTime
    }

    func commit(_ writes: [Write], in database: DatabaseID) throws -> (CommitResult, [DocumentChange]) {
        guard !writes.isEmpty else {
            return (CommitResult(commitTime: commitTime, results: [], billedWrites: 0, billedDeletes: 0), [])
        }
        let id = try makeID(of: database)
        try pruneVersions()
        var documents: [DocumentPath: WorkingDocument] = [:]
        var transformResults: [[Value]] = []
        for write in writes {
            var document = try documents[write.path] ?? load(write.path, in: database, id)
            // The dictionary must not hold a second copy of the fields while they change.
            documents[write.path] = nil
            transformResults.append(try document.apply(write, requestTime: commitTime.truncatedToMilliseconds))
            documents[write.path] = document
        }
        var changes: [DocumentChange] = []
        let updateTimes = try documents.mapValues { working in
            let updateTime = try store(working, in: id)
            if updateTime == commitTime, let change = change(of: working) { changes.append(change) }
            return updateTime
        }
        return (result(of: writes, transformResults, updateTimes), changes)
    }

    /// `nil` for a document that was missing and still is.
    private func change(of working: WorkingDocument) -> DocumentChange? {
        let before = working.stored?.document
        let createTime = working.isReplaced ? commitTime : before?.createTime ?? commitTime
        let after = working.fields.map {
            Document(path: working.reference.path, fields: $0, createTime: createTime, updateTime: commitTime)
        }
        guard before != nil || after != nil else { return nil }
        return DocumentChange(path: working.reference.path, before: before, after: after)
    }

    func deleteAll(in database: DatabaseID) throws {
        guard let id = try db.id(of: database) else { return }
        for statement in [
            "DELETE FROM index_entries WHERE scope IN (SELECT id FROM scopes WHERE database = ?)",
            "DELETE FROM scopes WHERE database = ?",
            "DELETE FROM documents WHERE database = ?",
            "DELETE FROM versions WHERE database = ?",
        ] {
            try db.execute(sql: statement, arguments: [id])
        }
        try db.execute(
            sql: "UPDATE databases SET cleared = ? WHERE id = ?",
            arguments: [commitTime.microseconds, id]
        )
        scopeIDs = [:]
    }

    private func load(_ path: DocumentPath, in database: DatabaseID, _ id: Int64) throws -> WorkingDocument {
        WorkingDocument(
            DocumentReference(database: database, path: path),
            stored: try db.storedDocument(at: path, in: id)
        )
    }

    private func result(
        of writes: [Write],
        _ transformResults: [[Value]],
        _ updateTimes: [DocumentPath: Timestamp]
    ) -> CommitResult {
        var result = CommitResult(commitTime: commitTime, results: [], billedWrites: 0, billedDeletes: 0)
        for (write, values) in zip(writes, transformResults) {
            if case .delete = write.operation {
                result.billedDeletes += 1
                result.results.append(WriteResult(updateTime: nil, transformResults: []))
            } else {
                result.billedWrites += 1
                result.results.append(WriteResult(updateTime: updateTimes[write.path], transformResults: values))
            }
        }
        return result
    }

    private func makeID(of database: DatabaseID) throws -> Int64 {
        if let id = try db.id(of: database) { return id }
        try db.execute(
            sql: "INSERT INTO databases (project, name) VALUES (?, ?)",
            arguments: [database.project, database.database]
        )
        return db.lastInsertedRowID
    }

    func makeID(of scope: IndexScope, in database: Int64) throws -> Int64 {
        if let id = scopeIDs[scope] { return id }
        if let id = try db.id(of: scope, in: database) {
            scopeIDs[scope] = id
            return id
        }
        try db.cachedStatement(sql: "INSERT INTO scopes (database, kind, key) VALUES (?, ?, ?)")
            .execute(arguments: [database, scope.kind.rawValue, Data(scope.key)])
        scopeIDs[scope] = db.lastInsertedRowID
        return db.lastInsertedRowID
    }
}
