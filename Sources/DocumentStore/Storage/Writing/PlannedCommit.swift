// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A commit that was worked out and checked: all that is left is to write it to the tables.
struct PlannedCommit {
    /// Works a commit out for its time, from the documents before it; throws to refuse it.
    typealias Plan = (Timestamp, FormerState) throws -> PlannedCommit

    let database: DatabaseID
    let time: Timestamp
    /// `nil` where it is not known.
    let committer: Committer?
    /// One for each document that does not stay as it was.
    let outcomes: [CommitPlan.Outcome]
    /// The changes reported to observers, in the same order.
    let changes: [DocumentChange]

    init(_ outcomes: [CommitPlan.Outcome], in database: DatabaseID, at time: Timestamp, by committer: Committer? = nil)
    {
        self.database = database
        self.time = time
        self.committer = committer
        self.outcomes = outcomes.allSatisfy(\.isChange) ? outcomes : outcomes.filter(\.isChange)
        changes = self.outcomes.map { outcome in
            DocumentChange(path: outcome.path, before: outcome.before?.document, after: outcome.after)
        }
    }

    var committed: CommittedChanges {
        CommittedChanges(database: database, commitTime: time, content: .documents(changes), committer: committer)
    }
}
