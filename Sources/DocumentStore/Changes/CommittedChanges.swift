// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The changes of a commit.
package struct CommittedChanges: Sendable {
    /// The changes of one database.
    package enum Content: Sendable {
        /// Each document that is not as it was; writes without effect leave none.
        case documents([DocumentChange])
        /// All documents were deleted at once.
        case everythingDeleted
    }

    package let database: DatabaseID
    package let commitTime: Timestamp
    package let content: Content
}
