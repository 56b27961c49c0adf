// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// Hands out the times of commits and reads so that they give the order of events.
///
/// Commit times strictly increase, also over restarts and when the clock goes back. A read's time is not before
/// any commit it sees and before every commit it does not see.
final class Timeline: Sendable {
    private struct State {
        /// The last commit known to be seen by reads.
        var committed: Timestamp
        /// The time of the first commit that is perhaps seen by reads.
        var pending: Timestamp?
        /// The latest time handed out; every commit is later.
        var latest: Timestamp
    }

    /// The store's first moment, when all its databases were created as far as clients can see.
    let began: Timestamp
    private let clock: @Sendable () -> Timestamp
    private let state: NIOLockedValueBox<State>

    init(
        clock: @escaping @Sendable () -> Timestamp,
        lastCommit: Timestamp,
        began: Timestamp = Timestamp(seconds: 0)
    ) {
        self.began = began
        self.clock = clock
        self.state = NIOLockedValueBox(State(committed: lastCommit, latest: lastCommit))
    }

    /// The time of a commit about to be made.
    ///
    /// To be called in the turn for writing, which one has at a time; given the last commit before it, if that was asked
    /// of the file.
    func beginCommit(after lastCommit: Timestamp? = nil) -> Timestamp {
        let now = clock().truncatedToMicroseconds
        return state.withLockedValue { state in
            // Those of the same transaction are not seen yet.
            if state.pending == nil { state.committed = lastCommit ?? state.committed }
            let time = max(now, Timestamp(microseconds: max(state.latest, state.committed).microseconds + 1))
            state.latest = time
            state.pending = state.pending ?? time
            return time
        }
    }

    /// Settles all commits begun: up to the given one reads see them from now on.
    func endCommits(lastCommit: Timestamp?) {
        state.withLockedValue { state in
            state.committed = max(state.committed, lastCommit ?? state.committed)
            state.pending = nil
        }
    }

    /// The last commit that reads are known to see.
    var lastCommit: Timestamp { state.withLockedValue(\.committed) }

    /// The time of a read that sees all commits up to one, if it can have seen no later one.
    func readTime(seeingNothingAfter lastCommit: Timestamp) -> Timestamp? {
        let isStill = state.withLockedValue { $0.pending == nil && $0.committed == lastCommit }
        return isStill ? readTime(seeing: lastCommit) : nil
    }

    /// The time of a read that sees all commits up to one.
    func readTime(seeing lastCommit: Timestamp) -> Timestamp {
        let now = clock().truncatedToMicroseconds
        return state.withLockedValue { state in
            // A later commit may be there already: the read must not claim to have seen it.
            guard state.pending == nil, state.committed == lastCommit else { return lastCommit }
            let time = max(now, lastCommit)
            state.latest = max(state.latest, time)
            return time
        }
    }

    /// Makes all later commits later than a time; returns whether one before it is under way.
    ///
    /// - Throws: `FirestoreError` for a time that is yet to come, before the store's first, or too long ago.
    func fix(_ time: Timestamp) throws -> Bool {
        let now = clock().truncatedToMicroseconds
        return try state.withLockedValue { state in
            let latest = max(now, state.latest)
            guard time <= latest else { throw FirestoreError.readTimeInTheFuture }
            guard time >= began else { throw FirestoreError.readTimeBeforeCreation }
            guard latest.microseconds - time.microseconds <= VersionLimits.retentionMicroseconds else {
                throw FirestoreError.readTimeTooOld
            }
            state.latest = max(state.latest, time)
            return state.pending.map { $0 <= time } ?? false
        }
    }
}
