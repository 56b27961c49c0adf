// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// How the documents of a query's scope differ now from what they were at a time.
///
/// Keeps names and places; the documents are read when they are wanted. What changes later is added, so that a query
/// that is read in parts looks at each change once.
struct FormerDocuments {
    struct Member {
        /// The place in the query's order.
        let key: OrderedKey
        let path: DocumentPath
    }

    private let time: Timestamp
    /// The changes up to here are in it.
    private var through: Timestamp
    private var paths: Set<DocumentPath> = []
    /// Rows of today's documents that were not so then.
    private(set) var replacedRows: Set<Int64> = []
    /// Documents of then that match the query, in its order.
    private(set) var members: [Member] = []

    var isEmpty: Bool { replacedRows.isEmpty && members.isEmpty }

    init(in plan: QueryPlan, at time: Timestamp, snapshot: StoreSnapshot) throws {
        self.time = time
        self.through = time
        try addChanges(in: plan, snapshot: snapshot)
    }

    /// Adds what has changed in a later snapshot.
    mutating func update(in plan: QueryPlan, snapshot: StoreSnapshot) throws {
        if snapshot.lastCommit > through { try addChanges(in: plan, snapshot: snapshot) }
    }

    private mutating func addChanges(in plan: QueryPlan, snapshot: StoreSnapshot) throws {
        try snapshot.requireKept(time, in: plan.database)
        let knownCount = members.count
        for path in try snapshot.pathsChanged(since: through, in: plan.scope, of: plan.database) {
            // A document that was deleted and made again is in another row.
            if let row = try snapshot.row(ofDocumentAt: path, in: plan.database) { replacedRows.insert(row) }
            guard paths.insert(path).inserted,
                let former = try snapshot.keptDocument(at: path, in: plan.database, asOf: time)
            else { continue }
            let candidate = Candidate(former, in: plan.database)
            if try plan.accepts(candidate), let key = try candidate.sortKey(in: plan.orders) {
                members.append(Member(key: key, path: path))
            }
        }
        if members.count > knownCount { members.sort { $0.key < $1.key } }
        through = max(through, snapshot.lastCommit)
    }

    /// The documents of then behind a place in the order, or all of them.
    func members(behind key: OrderedKey?) -> ArraySlice<Member> {
        guard let key else { return members[...] }
        return members.drop { $0.key <= key }
    }
}

extension StoreSnapshot {
    /// The row of a document as it is now; `nil` when there is none.
    fileprivate func row(ofDocumentAt path: DocumentPath, in database: DatabaseID) throws -> Int64? {
        guard let collection = try row(of: path.collection, in: database) else { return nil }
        return try db.first(.documentByName) { statement in
            statement.bind(collection, at: 1)
            statement.bind(OrderedKey(nameOf: path).bytes, at: 2)
        } _: {
            $0.integer(at: 0)
        }
    }
}

/// How documents are before a commit: those on their way to the file, and behind them the file.
struct FormerState {
    let rows: RowMemo
    var staged: StagedCommits.Snapshot?
    /// `nil` when the store had documents before it was opened.
    let presence: PresenceFilter?

    func document(at path: DocumentPath, in database: DatabaseID) throws -> StoredDocument? {
        if let presence, !presence.mayContain(path, in: database) { return nil }
        return try staged?.state(of: path, in: database) ?? rows.storedDocument(at: path, in: database)
    }

    /// Notes what the commits after this one have to look for.
    func note(_ commit: PlannedCommit) {
        guard let presence else { return }
        for outcome in commit.outcomes where outcome.before == nil {
            presence.insert(outcome.path, in: commit.database)
        }
    }
}
