// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Foundation
import NIOConcurrencyHelpers

@testable import DocumentStore
@testable import FirestoreModel

/// A store's past, remembered from its commits.
final class RecordedHistory: ListenHistory, ChangeObserving {
    private struct State {
        var documents: [DatabaseID: [DocumentPath: Document]] = [:]
        var commits: [(database: DatabaseID, time: Timestamp, changes: [DocumentChange])] = []
        var toldThrough = Timestamp(microseconds: .min)
        var keptSince = Timestamp(microseconds: .min)
        var isFailing = false
    }

    private let state = NIOLockedValueBox(State())

    /// Forgets what was before a time.
    func forget(before time: Timestamp) {
        state.withLockedValue { $0.keptSince = time }
    }

    /// Cannot be read from now on, as on a full disk, or can be again.
    func fail(_ isFailing: Bool) {
        state.withLockedValue { $0.isFailing = isFailing }
    }

    func didCommit(_ changes: CommittedChanges) {
        state.withLockedValue { state in
            let database = changes.database
            let list: [DocumentChange] =
                switch changes.content {
                case .documents(let changes): changes
                case .everythingDeleted:
                    (state.documents[database] ?? [:]).values.map {
                        DocumentChange(path: $0.path, before: $0, after: nil)
                    }
                // Not known here: tests of imports ask the store's own history.
                case .imported: []
                }
            for change in list {
                state.documents[database, default: [:]][change.path] = change.after
            }
            state.commits.append((database, changes.commitTime, list))
            state.toldThrough = changes.commitTime
        }
    }

    /// All documents of a database as of a time.
    func documents(of database: DatabaseID, asOf time: Timestamp) -> [Document] {
        state.withLockedValue { state in
            var documents = state.documents[database] ?? [:]
            for commit in state.commits.reversed().prefix(while: { $0.time > time }) where commit.database == database {
                for change in commit.changes {
                    documents[change.path] = change.before
                }
            }
            return Array(documents.values)
        }
    }

    func lastCommitTime(seenBy snapshot: StoreSnapshot) throws -> Timestamp {
        guard !state.withLockedValue(\.isFailing) else { throw FirestoreError.closed }
        return try snapshot.lastCommitTime()
    }

    func formerDocuments(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> [DocumentPath: Document?] {
        try former(of: database, since: time, seenBy: snapshot).filter { scope.includes($0.key) }
    }

    func changedPaths(
        in scope: QueryScope,
        of database: DatabaseID,
        since time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> [DocumentPath] {
        try formerDocuments(in: scope, of: database, since: time, seenBy: snapshot).keys
            .sorted { OrderedKey($0) < OrderedKey($1) }
    }

    func document(
        at path: DocumentPath,
        in database: DatabaseID,
        asOf time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> Document? {
        try former(of: database, since: time, seenBy: snapshot)[path] ?? snapshot.document(at: path, in: database)
    }

    private func former(
        of database: DatabaseID,
        since time: Timestamp,
        seenBy snapshot: StoreSnapshot
    ) throws -> [DocumentPath: Document?] {
        let lastCommit = try snapshot.lastCommitTime()
        // A commit is in the store a moment before its observers receive it.
        while state.withLockedValue({ $0.toldThrough < lastCommit && !$0.commits.isEmpty }) {
            sched_yield()
        }
        return try state.withLockedValue { state in
            guard time >= state.keptSince else {
                throw FirestoreError(.failedPrecondition, "The requested 'read_time' is too old.")
            }
            var former: [DocumentPath: Document?] = [:]
            for commit in state.commits.reversed().prefix(while: { $0.time > time }) {
                guard commit.database == database, commit.time <= lastCommit else { continue }
                for change in commit.changes {
                    former.updateValue(change.before, forKey: change.path)
                }
            }
            return former
        }
    }
}

extension QueryScope {
    fileprivate func includes(_ path: DocumentPath) -> Bool {
        switch self {
        case .collection(let collection): path.collection == collection
        case .group(let id, _): path.collection.id == id && contains(path)
        case .everything: contains(path)
        }
    }
}
