// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// The purpose of a transaction.
package enum TransactionOptions: Sendable, Equatable {
    /// Locks what it reads. One that takes the place of an aborted attempt, in any state, inherits its age,
    /// so that it no longer loses to those that came later.
    case readWrite(retrying: TransactionID?)
    /// Reads as of one moment and never waits: the given time, else the time of its first read.
    case readOnly(readTime: Timestamp?)
}

/// The documents of a read, which a read-write transaction locks.
package enum TransactionRead: Sendable {
    /// Documents by name, those missing too.
    case documents([DocumentPath])
    /// All documents that match a query or come to match it, whatever its limit and offset.
    case query(Query)
}

/// Names a transaction to its client: opaque bytes, drawn at random and forgotten when the store closes.
package struct TransactionID: Hashable, Sendable {
    /// Enough that none is guessed or drawn twice.
    static let byteCount = 16

    package let bytes: [UInt8]

    /// Takes the bytes a client sent, whether or not they name a transaction.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Draws a new one.
    init(using randomness: inout some RandomNumberGenerator) {
        self.bytes = (0..<Self.byteCount).map { _ in .random(in: .min ... .max, using: &randomness) }
    }
}

/// How long transactions live and commits wait.
package struct TransactionTimes: Sendable, Equatable {
    /// How long a commit waits for the transactions that read what it changes.
    package var lockTimeout: Duration
    /// How long a transaction lives without being used.
    var idleLimit: Duration
    /// How long a transaction lives at most.
    var totalLimit: Duration
    /// How old a transaction is when its id is forgotten, ended or not.
    package var memory: Duration

    package init(lockTimeout: Duration, idleLimit: Duration, totalLimit: Duration, memory: Duration) {
        self.lockTimeout = lockTimeout
        self.idleLimit = idleLimit
        self.totalLimit = totalLimit
        self.memory = memory
    }

    /// As recorded from production.
    ///
    /// Source: t-k/fireemu, FS-TRANSACTION (2026-10). Writers waited 5 s and went on, or were aborted after 21 s (one
    /// recording of two). Commits after 110 s of idleness passed and after 121 s were refused, although the
    /// documentation says 60 s. Ids were known until they were about 300 s old.
    package static let production = TransactionTimes(
        lockTimeout: .seconds(20),
        idleLimit: .seconds(120),
        totalLimit: .seconds(270),
        memory: .seconds(300)
    )

    /// As documented (firebase.google.com/docs/firestore/quotas, 2026-11), with the lock timeout of the official
    /// emulator 1.19.9.
    package static let documented = TransactionTimes(
        lockTimeout: .seconds(2),
        idleLimit: .seconds(60),
        totalLimit: .seconds(270),
        memory: .seconds(300)
    )
}

/// How much may be under way at once.
package struct TransactionLimits: Sendable, Equatable {
    /// Live transactions of one database; more are refused.
    package var liveCountMax: Int
    /// Documents a transaction locks one by one; beyond that it locks the database.
    package var documentLockCountMax: Int
    /// Queries a transaction locks one by one; beyond that it locks the database.
    package var queryLockCountMax: Int
    /// Commits waiting for locks; more are refused.
    package var waitingCommitCountMax: Int
    /// Ended transactions whose ids are remembered; the first to end are forgotten first.
    package var endedCountMax: Int

    package init(
        liveCountMax: Int = 10_000,
        documentLockCountMax: Int = 10_000,
        queryLockCountMax: Int = 500,
        waitingCommitCountMax: Int = 1_000,
        endedCountMax: Int = 10_000
    ) {
        precondition(endedCountMax > 0, "a retry names a transaction that has ended (is \(endedCountMax))")
        self.liveCountMax = liveCountMax
        self.documentLockCountMax = documentLockCountMax
        self.queryLockCountMax = queryLockCountMax
        self.waitingCommitCountMax = waitingCommitCountMax
        self.endedCountMax = endedCountMax
    }
}

/// Returns the time since it was made, by any clock.
struct ElapsedClock: Sendable {
    /// The time since this clock was made.
    let now: @Sendable () -> Duration
    /// Returns once that much time has passed since this clock was made, or throws when cancelled.
    let sleepUntil: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        self.now = { start.duration(to: clock.now) }
        self.sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
