// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension StoreTransaction {
    /// Brings the tables in line with what became of a document.
    func store(_ outcome: CommitPlan.Outcome, in database: Int64) throws {
        let collectionPath = outcome.path.collection
        let collection = try rows.makeRow(of: collectionPath, in: database)
        if let before = outcome.before {
            try keepVersion(before.document, in: collection)
        }
        let former = try formerRow(outcome, in: collection)
        let row = try storeDocument(outcome, replacing: former, in: collection)
        try updateEntries(of: outcome, from: former, to: row, in: database)
    }

    /// Writes a document of an import, unless it is there already with these fields; returns whether it wrote it.
    ///
    /// Keeps no former version: an import ends the past that can be read.
    func importDocument(_ document: Document, in database: Int64) throws -> Bool {
        let collection = try rows.makeRow(of: document.path.collection, in: database)
        try db.run(.insertMissingDocument) { statement in
            statement.bind(collection, at: 1)
            statement.bind(OrderedKey(nameOf: document.path).bytes, at: 2)
            statement.bind(document, at: 3)
        }
        guard db.changedRowCount == 0 else {
            let outcome = CommitPlan.Outcome(path: document.path, before: nil, after: document, isReplaced: false)
            try updateEntries(of: outcome, from: nil, to: db.lastInsertedRow, in: database)
            return true
        }
        guard let before = try db.storedDocument(at: document.path, in: collection),
            before.document.encodedFields != document.encodedFields
        else { return false }
        var after = document
        after.createTime = before.document.createTime
        let outcome = CommitPlan.Outcome(path: document.path, before: before, after: after, isReplaced: false)
        let row = try storeDocument(outcome, replacing: before.row, in: collection)
        try updateEntries(of: outcome, from: before.row, to: row, in: database)
        return true
    }

    /// Brings the entries of all indexes in line with what became of a document.
    private func updateEntries(
        of outcome: CommitPlan.Outcome,
        from former: Int64?,
        to row: Int64?,
        in database: Int64
    ) throws {
        for index in catalog.members(holding: outcome.path.collection, in: database) {
            try updateEntries(of: index, outcome: outcome, from: former, to: row)
        }
    }

    /// The row of the document before the commit, which may have been planned before it was written there.
    private func formerRow(_ outcome: CommitPlan.Outcome, in collection: Int64) throws -> Int64? {
        guard let before = outcome.before else { return nil }
        return try before.row ?? db.storedDocument(at: outcome.path, in: collection)?.row
    }

    /// Returns the row in which the document is now.
    private func storeDocument(
        _ outcome: CommitPlan.Outcome,
        replacing former: Int64?,
        in collection: Int64
    ) throws -> Int64? {
        guard let after = outcome.after else {
            try delete(former)
            return nil
        }
        if let former, !outcome.isReplaced {
            try db.run(.updateDocument) { statement in
                statement.bind(after.updateTime.microseconds, at: 1)
                statement.bind(after.encodedFields.bytes, at: 2)
                statement.bind(former, at: 3)
            }
            return former
        }
        try delete(former)
        try db.run(.insertDocument) { statement in
            statement.bind(collection, at: 1)
            statement.bind(OrderedKey(nameOf: after.path).bytes, at: 2)
            statement.bind(after, at: 3)
        }
        return db.lastInsertedRow
    }

    private func delete(_ row: Int64?) throws {
        guard let row else { return }
        try db.run(.deleteDocument) { $0.bind(row, at: 1) }
    }

    private func keepVersion(_ document: Document, in collection: Int64) throws {
        noteVersion()
        try db.run(.insertVersion) { statement in
            statement.bind(lastCommit.microseconds, at: 1)
            statement.bind(collection, at: 2)
            statement.bind(OrderedKey(nameOf: document.path).bytes, at: 3)
            statement.bind(document, at: 4)
        }
    }

    /// Removes the entries a document no longer has and adds those it has now.
    private func updateEntries(
        of index: IndexCatalog.Member,
        outcome: CommitPlan.Outcome,
        from former: Int64?,
        to row: Int64?
    ) throws {
        let new = try outcome.after.map { try index.shape.keys(of: $0) } ?? []
        guard let old = formerKeys(of: outcome, in: index) else {
            return try replaceEntries(of: index, former: former, by: new, row: row)
        }
        let isSameRow = row == former
        guard !isSameRow || old != new else { return }
        for key in old where !isSameRow || !new.contains(key) {
            try db.run(.deleteEntry) { statement in
                statement.bind(index.id, at: 1)
                statement.bind(key.bytes, at: 2)
            }
        }
        guard let row else { return }
        for key in new where !isSameRow || !old.contains(key) {
            try insertEntry(key, of: index.id, row: row)
        }
    }

    /// The keys of a document's entries before the commit; `nil` when it is damaged in the file.
    private func formerKeys(of outcome: CommitPlan.Outcome, in index: IndexCatalog.Member) -> [OrderedKey]? {
        guard let before = outcome.before else { return [] }
        return try? index.shape.keys(of: before.document)
    }

    /// Removes whatever entries a row has, which looks at all of the index, and adds those of the document now.
    private func replaceEntries(
        of index: IndexCatalog.Member,
        former: Int64?,
        by new: [OrderedKey],
        row: Int64?
    ) throws {
        if let former {
            try db.run(.deleteEntriesOfRow) { statement in
                statement.bind(index.id, at: 1)
                statement.bind(former, at: 2)
            }
        }
        guard let row else { return }
        for key in new {
            try insertEntry(key, of: index.id, row: row)
        }
    }

    func insertEntry(_ key: OrderedKey, of index: Int64, row: Int64) throws {
        try db.run(.insertEntry) { statement in
            statement.bind(index, at: 1)
            statement.bind(key.bytes, at: 2)
            statement.bind(row, at: 3)
        }
    }
}

extension SQLiteStatement {
    /// Binds a document's times and fields.
    fileprivate func bind(_ document: Document, at index: Int32) {
        bind(document.createTime.microseconds, at: index)
        bind(document.updateTime.microseconds, at: index + 1)
        bind(document.encodedFields.bytes, at: index + 2)
    }
}
