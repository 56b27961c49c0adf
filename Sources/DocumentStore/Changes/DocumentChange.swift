// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// One document before and after a commit.
package struct DocumentChange: Sendable {
    package let path: DocumentPath
    /// `nil` when it did not exist.
    package let before: Document?
    /// `nil` when it no longer exists.
    package let after: Document?

    package init(path: DocumentPath, before: Document?, after: Document?) {
        self.path = path
        self.before = before
        self.after = after
    }
}

/// Receives every commit.
package protocol ChangeObserving: AnyObject, Sendable {
    /// Called once a commit is durable, in the order of commits and before the next one begins.
    ///
    /// The committer waits for it to return: it must be quick and must not call the store.
    func didCommit(_ changes: CommittedChanges)
}

/// The changes of a commit.
package struct CommittedChanges: Sendable {
    /// The changes of one database.
    package enum Content: Sendable {
        /// Each document that is not as it was; writes without effect leave none.
        case documents([DocumentChange])
        /// All documents were deleted at once.
        case everythingDeleted
        /// An import wrote too many documents to name: all is to be read again, and the past is unknown.
        case imported
    }

    package let database: DatabaseID
    package let commitTime: Timestamp
    package let content: Content
    /// The caller; `nil` where it is not known, as of imports.
    package let committer: Committer?

    init(database: DatabaseID, commitTime: Timestamp, content: Content, committer: Committer? = nil) {
        (self.database, self.commitTime) = (database, commitTime)
        (self.content, self.committer) = (content, committer)
    }
}
