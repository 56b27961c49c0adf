// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Reads the store for listeners, now and as of a while ago.
struct ListenReader: Sendable {
    let store: SQLiteDocumentStore
    let history: any ListenHistory
    let limits: ListenLimits
    let memory: ListenMemory

    func read<Result>(_ body: (ListenSnapshot) throws -> Result) throws -> Result {
        defer { store.buildRequestedIndexes() }
        return try store.read { snapshot in
            let lastCommit = try history.lastCommitTime(seenBy: snapshot)
            return try body(
                ListenSnapshot(
                    snapshot: snapshot,
                    history: history,
                    limits: limits,
                    lastCommit: lastCommit
                )
            )
        }
    }
}

/// Reads as of one moment, and of moments before it.
struct ListenSnapshot {
    let snapshot: StoreSnapshot
    let history: any ListenHistory
    let limits: ListenLimits
    /// The last commit it sees.
    let lastCommit: Timestamp

    var readTime: Timestamp { snapshot.readTime }

    /// The documents of a scope that are not as they were at a time, then and now.
    func changes(in scope: QueryScope, of database: DatabaseID, since time: Timestamp) throws -> [DocumentChange] {
        let former = try formerDocuments(in: scope, of: database, since: time)
        let inOrder = former.map { (key: OrderedKey($0.key), entry: $0) }.sorted { $0.key < $1.key }
        return try inOrder.compactMap { _, entry in
            try change(of: entry.key, in: database, from: entry.value)
        }
    }

    /// The changes of documents by name; to their state at a moment, if one is given.
    func changes(
        of paths: [DocumentPath],
        in database: DatabaseID,
        since time: Timestamp,
        asOf moment: Timestamp? = nil
    ) throws -> [DocumentChange] {
        try paths.compactMap { path in
            let before = try history.document(at: path, in: database, asOf: time, seenBy: snapshot)
            return try change(of: path, in: database, from: before, asOf: moment)
        }
    }

    /// The names of the documents of a scope that are perhaps not as they were at a time, in order.
    func changedPaths(in scope: QueryScope, of database: DatabaseID, since time: Timestamp) throws -> [DocumentPath] {
        guard time < lastCommit else { return [] }
        return try history.changedPaths(in: scope, of: database, since: time, seenBy: snapshot)
    }

    private func formerDocuments(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp
    ) throws -> [DocumentPath: Document?] {
        // Most often asked right after a commit: nothing happened since.
        guard time < lastCommit else { return [:] }
        return try history.formerDocuments(in: scope, of: database, since: time, seenBy: snapshot)
    }

    private func change(
        of path: DocumentPath,
        in database: DatabaseID,
        from before: Document?,
        asOf moment: Timestamp? = nil
    ) throws -> DocumentChange? {
        let after =
            if let moment {
                try history.document(at: path, in: database, asOf: moment, seenBy: snapshot)
            } else {
                try snapshot.document(at: path, in: database)
            }
        guard before?.updateTime != after?.updateTime else { return nil }
        return DocumentChange(path: path, before: before, after: after)
    }

    /// A limited query's window; as it was at a time, if one is given.
    func window(of query: ResultQuery, asOf time: Timestamp? = nil) throws -> ResultWindow {
        try windowAndIndexEntries(of: query, asOf: time).window
    }

    /// The documents, and the index entries that are billed.
    func windowAndIndexEntries(
        of query: ResultQuery,
        asOf time: Timestamp? = nil
    ) throws -> (window: ResultWindow, billedIndexEntries: Int) {
        let plan = query.plan
        let former = try time.map { try formerDocuments(in: plan.scope, of: plan.database, since: $0) }
        let count = ResultWindow.fetchCount(for: query)
        // As many more as there are documents now that might not count.
        let (readCount, isTooLarge) = count.addingReportingOverflow(former?.count ?? 0)
        var entries: [ResultWindow.Entry] = []
        let billed = try forEach(of: query.part(count: isTooLarge || readCount == .max ? nil : readCount)) { document in
            guard former?[document.path] == nil, let key = try query.key(of: document) else { return }
            entries.append(ResultWindow.Entry(key: key, document: document))
        }
        if let former, !former.isEmpty {
            for case let document? in former.values {
                guard let key = try query.key(of: document) else { continue }
                entries.append(ResultWindow.Entry(key: key, document: document))
            }
            entries.sort { $0.key < $1.key }
        }
        return (ResultWindow(query, entries: Array(entries.prefix(count))), billed)
    }

    /// Hands out a query's documents; returns the index entries that are billed.
    func forEach(of plan: QueryPlan, _ body: (Document) throws -> Void) throws -> Int {
        try snapshot.run(plan, forEach: body).billedIndexEntries
    }
}
