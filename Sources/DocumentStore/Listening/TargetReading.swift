// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The result of reading a target's documents.
struct TargetReading {
    /// As of when it is.
    var readTime: Timestamp
    /// The last commit it saw.
    let lastCommit: Timestamp
    var changes: [ResultChange] = []
    /// Whether the changes are all the documents, or the first of them.
    var isInitial = false
    /// Whether the client has to forget what it had.
    var isReset = false
    /// The reads billed for its index entries, beyond those of the parts before.
    var indexEntryReads = 0
    /// Where the next part of the documents begins, if there is one.
    var filling: TargetFilling?
    /// The last document of a part of what a slow stream missed, if more follow.
    var missedThrough: DocumentPath?
    /// Of a limited query.
    var window: ResultWindow?

    init(_ snapshot: ListenSnapshot) {
        self.readTime = snapshot.readTime
        self.lastCommit = snapshot.lastCommit
    }
}

/// How far a long initial result has been given out.
struct TargetFilling {
    /// The place of the last document.
    let lastKey: OrderedKey
    let cursor: Query.Cursor
    /// The documents up to there are as of this time.
    let time: Timestamp
    let partCount: Int
    /// Those of all parts up to there.
    let billedIndexEntries: Int
}

extension ListenSnapshot {
    /// All documents, or the first part of them.
    func initialDocuments(of subject: ResultSubject, in database: DatabaseID) throws -> TargetReading {
        var reading = TargetReading(self)
        reading.isInitial = true
        switch subject {
        case .documents(let paths):
            reading.changes = try paths.map { path in
                ResultChange(initial: try snapshot.document(at: path, in: database), at: path)
            }
        case .query(let query) where query.isLimited:
            let (window, billedIndexEntries) = try windowAndIndexEntries(of: query)
            reading.window = window
            reading.indexEntryReads = QuerySummary.reads(ofIndexEntries: billedIndexEntries)
            reading.changes = try window.result.map { entry in
                ResultChange(initial: try entry.document.selecting(query.plan.mask), at: entry.document.path)
            }
        case .query(let query):
            try addPart(of: query, behind: nil, count: limits.firstPartDocumentMax, to: &reading)
        }
        return reading
    }

    /// The next part, and before it what changed in the parts before; all again when former versions are gone.
    func nextPart(of query: ResultQuery, after filling: TargetFilling) throws -> TargetReading {
        do {
            return try knownNextPart(of: query, after: filling)
        } catch let error as FirestoreError where error.code == .failedPrecondition {
            return try allDocumentsAgain(of: .query(query), in: query.plan.database)
        }
    }

    private func knownNextPart(of query: ResultQuery, after filling: TargetFilling) throws -> TargetReading {
        var reading = TargetReading(self)
        for change in try changes(in: query.plan.scope, of: query.plan.database, since: filling.time) {
            // A former version that is damaged in the file was never sent.
            let wasIn = (try? query.key(of: change.before)).map { $0 <= filling.lastKey } ?? false
            let isIn = try query.key(of: change.after).map { $0 <= filling.lastKey } ?? false
            guard wasIn || isIn else { continue }
            let document = try change.after?.selecting(query.plan.mask)
            reading.changes.append(ResultChange(path: change.path, document: document, wasIn: wasIn, isIn: isIn))
        }
        let count = min(filling.partCount * 2, limits.partDocumentMax)
        try addPart(of: query, behind: filling, count: count, to: &reading)
        return reading
    }

    private func addPart(
        of query: ResultQuery,
        behind filling: TargetFilling?,
        count: Int,
        to reading: inout TargetReading
    ) throws {
        var readCount = 0
        var byteCount = 0
        var last: Document?
        let part = try query.part(after: filling?.cursor, count: count)
        let billedBefore = filling?.billedIndexEntries ?? 0
        let billedOfPart = try snapshot.run(part) { document in
            readCount += 1
            byteCount += document.heldByteCount
            last = document
            reading.changes.append(ResultChange(initial: try document.selecting(query.plan.mask), at: document.path))
            return byteCount < limits.partByteCountMax
        }.billedIndexEntries
        let billed = billedBefore + billedOfPart
        reading.indexEntryReads =
            QuerySummary.reads(ofIndexEntries: billed) - QuerySummary.reads(ofIndexEntries: billedBefore)
        let isFull = readCount == count || byteCount >= limits.partByteCountMax
        guard isFull, let last, let lastKey = try query.key(of: last) else { return }
        reading.filling = TargetFilling(
            lastKey: lastKey,
            cursor: try query.cursor(after: last),
            time: readTime,
            partCount: count,
            billedIndexEntries: billed
        )
    }

    /// The changes since a time; all documents after a reset when that is too long ago, or never was.
    func changes(of subject: ResultSubject, in database: DatabaseID, since time: Timestamp) throws -> TargetReading {
        guard time <= readTime else { return try allDocumentsAgain(of: subject, in: database) }
        do {
            return try knownChanges(of: subject, in: database, since: time)
        } catch let error as FirestoreError where error.code == .failedPrecondition {
            return try allDocumentsAgain(of: subject, in: database)
        }
    }

    func allDocumentsAgain(of subject: ResultSubject, in database: DatabaseID) throws -> TargetReading {
        var reading = try initialDocuments(of: subject, in: database)
        reading.isReset = true
        return reading
    }

    private func knownChanges(
        of subject: ResultSubject,
        in database: DatabaseID,
        since time: Timestamp
    ) throws -> TargetReading {
        var reading = TargetReading(self)
        switch subject {
        case .documents(let paths):
            reading.changes = try changes(of: paths, in: database, since: time).map(\.asNamed)
        case .query(let query) where query.isLimited:
            let former = try window(of: query, asOf: time)
            let window = try window(of: query)
            reading.window = window
            reading.changes = try ResultWindow.changes(
                from: former.result,
                to: window.result,
                since: time,
                mask: query.plan.mask
            ) { try snapshot.document(at: $0.document.path, in: database) }
        case .query(let query):
            reading.changes = try changes(in: query.plan.scope, of: database, since: time).compactMap(query.evaluate)
        }
        return reading
    }
}
