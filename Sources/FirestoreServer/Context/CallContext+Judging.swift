// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FirestoreModel
import Wire

extension CallContext {
    /// Has documents judged that are read by name, before any of them is answered.
    ///
    /// - Parameters:
    ///   - paths: Those that are asked for, in the order of the request; one that is named twice is judged once.
    ///   - result: Those that have been read so far.
    ///   - store: Where the others are.
    ///   - database: The database of all.
    /// - Throws: ``FirestoreError/Code/permissionDenied`` where one of them may not be read.
    func authorize(
        _ paths: [DocumentPath],
        readSoFar result: LookupResult,
        of store: SQLiteDocumentStore,
        in database: DatabaseID
    ) throws {
        guard let judge else { return }
        let surroundings = Surroundings(store: store, database: database, time: result.readTime)
        let reads = Self.reads(of: paths, readSoFar: result, surroundings: surroundings)
        var judgement = Judgement()
        defer { note(judgement) }
        try judge.authorize(reads, for: caller, noting: &judgement)
    }

    /// The reads to be judged, each once.
    private static func reads(
        of paths: [DocumentPath],
        readSoFar result: LookupResult,
        surroundings: Surroundings
    ) -> [DocumentRead] {
        if paths.count == 1, let only = result.entries.first {
            return [DocumentRead(path: paths[0], surroundings: surroundings) { only.document }]
        }
        let known = Dictionary(result.entries.map { ($0.path, $0.document) }) { first, _ in first }
        var seen: Set<DocumentPath> = []
        return paths.filter { seen.insert($0).inserted }.map { path in
            DocumentRead(path: path, surroundings: surroundings) {
                if let document = known[path] { document } else { try surroundings.document(at: path) }
            }
        }
    }

    /// Has a query judged before it runs.
    @discardableResult
    func authorize(
        _ query: Query,
        nearest: NearestSearch? = nil,
        of store: SQLiteDocumentStore,
        in database: DatabaseID,
        at time: Timestamp? = nil
    ) throws -> VerdictTerm {
        guard let judge else { return .lasting }
        let surroundings = Surroundings(store: store, database: database, time: time)
        let read = QueryRead(database: database, query: query, nearest: nearest, surroundings: surroundings)
        var judgement = Judgement()
        defer { note(judgement) }
        return try judge.authorize(read, for: caller, noting: &judgement)
    }

    /// Has a call judged that production keeps to administrators.
    func authorize(_ call: AdministratorCall, in database: DatabaseID) throws {
        try judge?.authorize(call, in: database, for: caller)
    }

    /// Judges commits of the call in their turns, where anything is to be judged.
    var commitAuthorization: CommitAuthorization {
        guard let judge else { return CommitAuthorization(of: committer) }
        return CommitAuthorization(of: committer) { [self] commit in
            var judgement = Judgement()
            defer { note(judgement) }
            try judge.authorize(commit, for: caller, noting: &judgement)
        }
    }

    private var committer: Committer {
        if caller.isAdmin { return .administrator }
        return caller.claims.isEmpty ? .anonymous : .user(caller.userID)
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
