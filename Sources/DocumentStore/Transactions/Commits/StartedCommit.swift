// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

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

/// Names a commit under way, in the order of arrival.
struct CommitTicket: Hashable, Comparable {
    let ordinal: Int

    static func < (lhs: CommitTicket, rhs: CommitTicket) -> Bool { lhs.ordinal < rhs.ordinal }
}

/// Holds up threads until a commit is stored.
///
/// Blocks like the store itself, and no longer than it: for the time of one write to the disk.
final class CommitGate: Sendable {
    private let isOpen = ConditionLock(value: false)

    func open() {
        isOpen.lock()
        isOpen.unlock(withValue: true)
    }

    func wait() {
        isOpen.lock(whenValue: true)
        isOpen.unlock()
    }
}
