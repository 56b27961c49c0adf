// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The caller of a commit, and the judge that may refuse it.
package struct CommitAuthorization: Sendable {
    /// Judges a commit in its turn, and throws to refuse it.
    ///
    /// Other commits wait meanwhile, and it may run on the thread of one of them: it must be quick, must not call the
    /// store and must not keep the commit. A commit that has to wait, or is tried again, is judged again.
    package typealias Judge = @Sendable (ProposedCommit) throws -> Void

    /// `nil` where it is not known.
    let committer: Committer?
    /// `nil` where nothing is to be judged.
    let judge: Judge?

    /// Creates an authorization.
    ///
    /// - Parameters:
    ///   - committer: The caller; `nil` where it is not known.
    ///   - judge: Judges the commit; `nil` where nothing is to be judged.
    package init(of committer: Committer? = nil, judgedBy judge: Judge? = nil) {
        (self.committer, self.judge) = (committer, judge)
    }
}

/// A commit whose effect is known and of which nothing is stored yet.
package struct ProposedCommit {
    package let database: DatabaseID
    /// The commit time that its documents would have.
    package let time: Timestamp
    /// All writes, in their order.
    package let writes: [Write]

    private let outcomes: [CommitPlan.Outcome]
    private let formerState: FormerState

    init(
        _ writes: [Write],
        in database: DatabaseID,
        at time: Timestamp,
        outcomes: [CommitPlan.Outcome],
        after formerState: FormerState
    ) {
        self.writes = writes
        self.database = database
        self.time = time
        self.outcomes = outcomes
        self.formerState = formerState
    }

    /// Every document that is written or verified, before the commit and after all of its writes.
    ///
    /// Documents are in the order of their first writes. One that stays as it was is included.
    package var documents: [DocumentChange] {
        outcomes.map { DocumentChange(path: $0.path, before: $0.before?.document, after: $0.after) }
    }

    /// Reads any document as it is before the commit; `nil` where there is none.
    package func documentBefore(at path: DocumentPath) throws -> Document? {
        if let outcome = outcomes.first(where: { $0.path == path }) { return outcome.before?.document }
        return try formerState.document(at: path, in: database)?.document
    }

    /// Reads any document as the commit would leave it; `nil` where there would be none.
    package func documentAfter(at path: DocumentPath) throws -> Document? {
        if let outcome = outcomes.first(where: { $0.path == path }) { return outcome.after }
        return try formerState.document(at: path, in: database)?.document
    }
}
