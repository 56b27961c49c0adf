// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The past, as far as listening needs it.
protocol ListenHistory: Sendable {
    /// The time of the last commit a snapshot sees, in any database.
    func lastCommitTime(seenBy snapshot: StoreSnapshot) throws -> Timestamp

    /// All documents of a scope that changed after a time, as they were then; `nil` for one that did not exist.
    ///
    /// - Throws: `FirestoreError` (failed precondition) when the time is too long ago.
    func formerDocuments(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> [DocumentPath: Document?]

    /// The names of the same documents, in order.
    func changedPaths(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> [DocumentPath]

    /// A document as it was at a time.
    ///
    /// - Throws: `FirestoreError` (failed precondition) when the time is too long ago.
    func document(
        at path: DocumentPath,
        in database: DatabaseID,
        asOf time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> Document?
}

/// The past as the store keeps it.
struct StoredHistory: ListenHistory {
    func lastCommitTime(seenBy snapshot: StoreSnapshot) throws -> Timestamp {
        try snapshot.lastCommitTime()
    }

    func formerDocuments(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> [DocumentPath: Document?] {
        try snapshot.formerDocuments(in: scope, of: database, since: time)
    }

    func changedPaths(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> [DocumentPath] {
        try snapshot.changedPaths(in: scope, of: database, since: time)
    }

    func document(
        at path: DocumentPath,
        in database: DatabaseID,
        asOf time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> Document? {
        try snapshot.document(at: path, in: database, asOf: time)
    }
}
