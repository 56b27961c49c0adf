// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
