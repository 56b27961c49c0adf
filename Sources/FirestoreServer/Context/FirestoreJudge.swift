// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
package import FirestoreModel
package import Wire

/// Decides what callers may read and write: Security Rules, or nothing at all.
///
/// Every method returns to allow, and throws ``FirestoreError/Code/permissionDenied`` to refuse; other errors are those
/// of the store. Administrators are not judged. Each adds to `ruleReads` the documents that it looked at besides those of the call,
/// also where it refuses.
package protocol FirestoreJudge: Sendable {
    /// Judges reads of documents by name, in the order of the request and before any is answered.
    func authorize(_ reads: [DocumentRead], for caller: Caller, noting judgement: inout Judgement) throws
    /// Judges a query before it runs; also when its listener starts, and again whenever the verdict may have changed.
    @discardableResult
    func authorize(_ read: QueryRead, for caller: Caller, noting judgement: inout Judgement) throws -> VerdictTerm
    /// Judges a commit in its turn, on the conditions of ``CommitAuthorization``.
    func authorize(_ commit: ProposedCommit, for caller: Caller, noting judgement: inout Judgement) throws
    /// Judges a call that production keeps to administrators wherever rules are in force.
    func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) throws
}

/// Allows everything, as an emulator without rules does.
struct OpenJudge: FirestoreJudge {
    /// Creates a judge.
    package init() {}

    package func authorize(_ reads: [DocumentRead], for caller: Caller, noting judgement: inout Judgement) {}
    package func authorize(_ read: QueryRead, for caller: Caller, noting judgement: inout Judgement) -> VerdictTerm {
        .lasting
    }
    package func authorize(_ commit: ProposedCommit, for caller: Caller, noting judgement: inout Judgement) {}
    package func authorize(_ call: AdministratorCall, in database: DatabaseID, for caller: Caller) {}
}

/// Calls for administrators alone.
///
/// Source: official emulator 1.19.9 (2026-11), which refuses the first two to users; the reference of PartitionQuery says
/// nothing, and its only clients are Admin SDKs.
package enum AdministratorCall: Sendable {
    case listCollectionIDs
    case batchWrite
    case partitionQuery
}

/// A document read by name.
package final class DocumentRead {
    package let path: DocumentPath
    /// The rest of the database as of the same time.
    package let surroundings: Surroundings
    /// The document; `nil` where there is none.
    package let document: () throws -> Document?

    /// Creates a read to be judged.
    package init(path: DocumentPath, surroundings: Surroundings, document: @escaping () throws -> Document?) {
        (self.path, self.surroundings, self.document) = (path, surroundings, document)
    }

    package var database: DatabaseID { surroundings.database }
}

/// A query that is understood and has not run.
package struct QueryRead {
    package let database: DatabaseID
    package let query: Query
    /// The vector search over the query's documents.
    package let nearest: NearestSearch?
    /// The database as of the time that the query will read at.
    package let surroundings: Surroundings

    /// Creates a query to be judged.
    package init(database: DatabaseID, query: Query, nearest: NearestSearch? = nil, surroundings: Surroundings) {
        (self.database, self.query) = (database, query)
        (self.nearest, self.surroundings) = (nearest, surroundings)
    }
}

/// Documents that a judge may look at besides those it judges.
package struct Surroundings {
    let store: SQLiteDocumentStore
    package let database: DatabaseID
    /// `nil` for the latest state.
    package let time: Timestamp?

    /// Creates the surroundings of a judgement.
    package init(store: SQLiteDocumentStore, database: DatabaseID, time: Timestamp? = nil) {
        (self.store, self.database, self.time) = (store, database, time)
    }

    /// Reads a document; `nil` where there is none.
    package func document(at path: DocumentPath) throws -> Document? {
        guard case .found(let document)? = try store.get([path], in: database, at: time).entries.first else {
            return nil
        }
        return document
    }
}
