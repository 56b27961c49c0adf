// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A query as a lock: touched by every change to a document that matches it before or after.
///
/// Limit and offset do not count: a document past the limit can move up when another leaves.
struct QueryLock: Sendable {
    private let plan: QueryPlan

    /// - Throws: `FirestoreError` (invalid argument) for a query that is refused anyway.
    init(_ query: Query, in database: DatabaseID) throws {
        self.plan = try QueryPlan(query, in: database)
    }

    /// The id of all collections the query looks in; `nil` for any.
    var collectionID: String? {
        switch plan.scope {
        case .collection(let path): path.id
        case .group(let id, _): id
        case .everything: nil
        }
    }

    func isTouched(by change: DocumentChange) -> Bool {
        guard plan.scope.includes(change.path) else { return false }
        return isMatched(by: change.before) || isMatched(by: change.after)
    }

    private func isMatched(by document: Document?) -> Bool {
        guard let document else { return false }
        let reference = DocumentReference(database: plan.database, path: document.path)
        let candidate = Candidate(reference: reference, document: document)
        // A document that is damaged in the file may have matched.
        return (try? plan.accepts(candidate)) ?? true
    }
}

extension QueryScope {
    /// Whether a document is within the scope, wherever it comes from.
    fileprivate func includes(_ path: DocumentPath) -> Bool {
        switch self {
        case .collection(let collection):
            path.segments.count == collection.segments.count + 1
                && path.segments.dropLast().hasSameBytes(as: collection.segments)
        case .group(let id, _):
            path.segments[path.segments.count - 2].hasSameBytes(as: id) && contains(path)
        case .everything:
            contains(path)
        }
    }
}
