// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The read locks of one database: who holds which.
struct LockTable {
    /// A query some transaction ran.
    private struct HeldQuery {
        let holder: TransactionKey
        let query: QueryLock
    }

    /// The locks of one transaction.
    private struct Holdings {
        var documents: Set<DocumentPath> = []
        /// One for each query, by the collection id it is filed under.
        var queries: [String?] = []
    }

    private let limits: TransactionLimits
    private var documents: [DocumentPath: Set<TransactionKey>] = [:]
    /// By the id of the collections they look in, as most changes concern one or two.
    private var queries: [String?: [HeldQuery]] = [:]
    /// Those that hold the whole database.
    private var databases: Set<TransactionKey> = []
    private var holdings: [TransactionKey: Holdings] = [:]

    init(limits: TransactionLimits) {
        self.limits = limits
    }

    var isEmpty: Bool { holdings.isEmpty && databases.isEmpty }

    /// Everyone who holds anything.
    var holders: Set<TransactionKey> { databases.union(holdings.keys) }

    /// Locks what a transaction is about to read.
    mutating func lock(_ read: ReadLocks, for holder: TransactionKey) {
        guard !databases.contains(holder) else { return }
        for path in read.documents where holdings[holder, default: Holdings()].documents.insert(path).inserted {
            documents[path, default: []].insert(holder)
        }
        if let query = read.query {
            holdings[holder, default: Holdings()].queries.append(query.collectionID)
            queries[query.collectionID, default: []].append(HeldQuery(holder: holder, query: query))
        }
        guard let held = holdings[holder] else { return }
        if held.documents.count > limits.documentLockCountMax || held.queries.count > limits.queryLockCountMax {
            release(holder)
            databases.insert(holder)
        }
    }

    /// Returns who locked one of these documents by name.
    func holders(of paths: some Collection<DocumentPath>) -> Set<TransactionKey> {
        var found = paths.isEmpty ? [] : databases
        for path in paths {
            found.formUnion(documents[path] ?? [])
        }
        return found
    }

    /// Returns who holds anything that these changes touch.
    func holders(of changes: [DocumentChange]) -> Set<TransactionKey> {
        var found = holders(of: changes.map(\.path))
        for change in changes where !queries.isEmpty {
            let collectionID = change.path.segments[change.path.segments.count - 2]
            for held in (queries[collectionID] ?? []) + (queries[nil] ?? []) where !found.contains(held.holder) {
                if held.query.isTouched(by: change) { found.insert(held.holder) }
            }
        }
        return found
    }

    /// Gives up everything a transaction holds.
    mutating func release(_ holder: TransactionKey) {
        databases.remove(holder)
        guard let held = holdings.removeValue(forKey: holder) else { return }
        for path in held.documents {
            documents[path]?.remove(holder)
            if documents[path]?.isEmpty == true { documents[path] = nil }
        }
        for collectionID in Set(held.queries) {
            queries[collectionID]?.removeAll { $0.holder == holder }
            if queries[collectionID]?.isEmpty == true { queries[collectionID] = nil }
        }
    }
}
