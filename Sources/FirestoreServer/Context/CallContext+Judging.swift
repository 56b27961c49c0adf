// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel

extension CallContext {
    /// Has documents judged that were read by name, before any of them is answered.
    func authorize(_ result: LookupResult, of store: SQLiteDocumentStore, in database: DatabaseID) throws {
        guard let judge else { return }
        let surroundings = Surroundings(store: store, database: database, time: result.readTime)
        let reads = result.entries.map { entry in
            DocumentRead(database: database, path: entry.path, document: entry.document, surroundings: surroundings)
        }
        try judge.authorize(reads, for: caller)
    }

    /// Has a query judged before it runs.
    func authorize(
        _ query: Query,
        nearest: NearestSearch? = nil,
        of store: SQLiteDocumentStore,
        in database: DatabaseID,
        at time: Timestamp? = nil
    ) throws {
        guard let judge else { return }
        let surroundings = Surroundings(store: store, database: database, time: time)
        let read = QueryRead(database: database, query: query, nearest: nearest, surroundings: surroundings)
        try judge.authorize(read, for: caller)
    }

    /// Has a call judged that production keeps to administrators.
    func authorize(_ call: AdministratorCall, in database: DatabaseID) throws {
        try judge?.authorize(call, in: database, for: caller)
    }

    /// Judges commits of the call in their turns; `nil` where nothing is to be judged.
    var commitAuthorization: CommitAuthorization? {
        guard let judge else { return nil }
        return { [caller] in try judge.authorize($0, for: caller) }
    }
}

extension LookupResult.Entry {
    fileprivate var path: DocumentPath {
        switch self {
        case .found(let document): document.path
        case .missing(let path): path
        }
    }

    /// `nil` for a name without one.
    var document: Document? {
        guard case .found(let document) = self else { return nil }
        return document
    }
}
