// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How far a commit came without waiting for transactions.
package enum StartedCommit: Sendable {
    case stored(CommitResult)
    /// Held up by transactions that read what it changes.
    case waiting(WaitingCommit)
}

/// A commit whose turn has not come; it has to be finished, if only to fail.
package struct WaitingCommit: Sendable {
    let writes: [Write]
    let database: DatabaseID
    let ticket: CommitTicket
    let authorization: CommitAuthorization?
}
