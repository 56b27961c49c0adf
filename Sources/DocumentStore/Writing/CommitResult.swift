// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The result of one write.
package struct WriteResult: Sendable, Equatable {
    /// When the document last changed, which a write without effect leaves alone; `nil` after a delete.
    package var updateTime: Timestamp?
    /// One per transform, in order: the new value, or null for the array transforms.
    package var transformResults: [Value]
}

/// The result of a commit.
package struct CommitResult: Sendable, Equatable {
    /// Later than every commit before it.
    package var commitTime: Timestamp
    /// One per write, in order.
    package var results: [WriteResult]
    /// Sets and updates, those without effect too.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    package var billedWrites: Int
    /// Deletes, of missing documents too.
    package var billedDeletes: Int
    /// One per write, as the commit leaves the document; `nil` for one that is missing then.
    package var documents: [Document?] = []
}
