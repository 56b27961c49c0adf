// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A commit from its arrival to its end.
struct PendingCommit {
    /// Why a waiting commit wakes up.
    enum Wake: Sendable {
        /// It is no longer held up.
        case proceed
        /// It waited too long, would wait forever, or lost to another commit.
        case contention
        /// Its transaction was rolled back or retried.
        case abandoned
        /// Its task was cancelled.
        case cancelled
        case closed
    }

    let database: DatabaseID
    let transaction: TransactionKey?
    /// The documents that it writes to, also where nothing changes.
    let paths: Set<DocumentPath>
    /// Once it had to wait: its age, if it is outside of transactions, and when it gives up.
    var waiting: (age: Int, deadline: Duration)?
    /// Set while it waits and its task is not suspended yet, or suspended.
    var suspension = Suspension.none

    /// How the task that commits stands.
    enum Suspension {
        case none
        /// About to be suspended.
        case announced
        case suspended(CheckedContinuation<Wake, Never>)
        /// Woken before it was suspended.
        case woken(Wake)
    }
}

/// A commit that was validated and is being stored.
struct StoringCommit {
    let ticket: CommitTicket
    let database: DatabaseID
    let transaction: TransactionKey?
    let changes: [DocumentChange]
    /// Where reads of the changed documents wait.
    let gate = CommitGate()
}

/// Thrown through the store to undo a commit that has to wait.
struct CommitMustWait: Error {}
