// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import GRDB

import struct Foundation.Data

extension WriteSession {
    /// Brings the database in line with a document, and returns when it last changed.
    func store(_ working: WorkingDocument, in database: Int64) throws -> Timestamp {
        let path = working.reference.path
        switch (working.stored, working.fields) {
        case (nil, nil):
            break
        case (nil, let fields?):
            let row = try insert(fields, at: path, in: database)
            try updateIndexes(of: path, row, from: [], to: IndexEntry.entries(of: fields), in: database)
        case (let stored?, nil):
            try keepVersion(of: stored, in: database)
            try db.cachedStatement(sql: "DELETE FROM documents WHERE id = ?").execute(arguments: [stored.row])
            let entries = IndexEntry.entries(of: stored.document.fields)
            try updateIndexes(of: path, stored.row, from: entries, to: [], in: database)
        case (let stored?, let fields?):
            return try replace(stored, by: fields, isReplaced: working.isReplaced, in: database)
        }
        return commitTime
    }

    private func insert(_ fields: [String: Value], at path: DocumentPath, in database: Int64) throws -> Int64 {
        let time = commitTime.microseconds
        try db.cachedStatement(
            sql: "INSERT INTO documents (database, path, create_time, update_time, data) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [database, Data(OrderedKey(path).bytes), time, time, Data(FieldsEncoder.encode(fields))]
        )
        return db.lastInsertedRowID
    }

    private func replace(
        _ stored: StoredDocument,
        by fields: [String: Value],
        isReplaced: Bool,
        in database: Int64
    ) throws -> Timestamp {
        let data = FieldsEncoder.encode(fields)
        // A write without effect is billed but leaves the document as it was.
        guard isReplaced || data != stored.data else { return stored.document.updateTime }
        try keepVersion(of: stored, in: database)
        let createTime = isReplaced ? commitTime : stored.document.createTime
        try db.cachedStatement(
            sql: "UPDATE documents SET create_time = ?, update_time = ?, data = ? WHERE id = ?"
        ).execute(arguments: [createTime.microseconds, commitTime.microseconds, Data(data), stored.row])
        try updateIndexes(
            of: stored.document.path,
            stored.row,
            from: IndexEntry.entries(of: stored.document.fields),
            to: IndexEntry.entries(of: fields),
            in: database
        )
        return commitTime
    }

    /// Removes the entries a document no longer has and adds those it has now.
    private func updateIndexes(
        of path: DocumentPath,
        _ row: Int64,
        from old: Set<IndexEntry>,
        to new: Set<IndexEntry>,
        in database: Int64
    ) throws {
        let deletion = try db.cachedStatement(
            sql: "DELETE FROM index_entries WHERE scope = ? AND field = ? AND key = ?"
        )
        let insertion = try db.cachedStatement(
            sql: "INSERT INTO index_entries (scope, field, key, document) VALUES (?, ?, ?, ?)"
        )
        let removed = old.subtracting(new)
        let added = new.subtracting(old)
        for (scope, name) in IndexScope.scopes(of: path) {
            let scopeID = try makeID(of: scope, in: database)
            for entry in removed {
                try deletion.execute(
                    arguments: [scopeID, Data(entry.field.bytes), Data(entry.value.bytes + name.bytes)]
                )
            }
            for entry in added {
                try insertion.execute(
                    arguments: [scopeID, Data(entry.field.bytes), Data(entry.value.bytes + name.bytes), row]
                )
            }
        }
    }
}
