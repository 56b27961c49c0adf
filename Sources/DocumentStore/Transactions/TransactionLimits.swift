// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
