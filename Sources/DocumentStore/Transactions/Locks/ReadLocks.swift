// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// The locks of one read.
struct ReadLocks: Sendable {
    let documents: Set<DocumentPath>
    let query: QueryLock?

    /// - Throws: `FirestoreError` (invalid argument) for a query that is refused anyway.
    init(_ read: TransactionRead, in database: DatabaseID) throws {
        switch read {
        case .documents(let paths):
            self.documents = Set(paths)
            self.query = nil
        case .query(let query):
            self.documents = []
            self.query = try QueryLock(query, in: database)
        }
    }

    func areTouched(by changes: [DocumentChange]) -> Bool {
        changes.contains { documents.contains($0.path) || query?.isTouched(by: $0) == true }
    }
}
