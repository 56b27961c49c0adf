// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

// Production's texts, recorded: t-k/fireemu, FS-TRANSACTION and fs-transaction-expiry-retry-04 (2026-10).
extension FirestoreError {
    /// Never issued, issued for another database, or so old that it is forgotten.
    static var transactionUnknown: Self { Self(.invalidArgument, "Invalid transaction.") }

    /// Ended or timed out.
    static var transactionOver: Self { Self(.aborted, transactionOverText) }

    /// Ended by a commit that was refused.
    static var transactionRefused: Self { Self(.invalidArgument, transactionOverText) }

    static var transactionReadOnly: Self {
        Self(.invalidArgument, "Cannot modify entities in a read-only transaction.")
    }

    static var retryOfReadOnly: Self { Self(.invalidArgument, "Cannot retry a read-only transaction") }

    /// Locks were held too long or in a circle, or were lost to another commit.
    static var contention: Self {
        Self(.aborted, "Too much contention on these documents. Please try again.")
    }

    // These two are the official emulator's (1.19.9).
    static var transactionTimeInFuture: Self {
        Self(.invalidArgument, "The requested 'read_time' cannot be in the future.")
    }

    static var transactionTimeTooOld: Self {
        Self(.failedPrecondition, "The requested 'read_time' is too old.")
    }

    private static let transactionOverText = "The referenced transaction has expired or is no longer valid."
}

// Our own limits, which production does not have.
extension FirestoreError {
    static func tooManyTransactions(limit: Int) -> Self {
        Self(.resourceExhausted, "\(limit) transactions are open in this database. Commit or roll back some of them.")
    }

    static func tooManyWaitingCommits(limit: Int) -> Self {
        Self(.resourceExhausted, "\(limit) commits are waiting for transactions to end. Try again later.")
    }

    static var transactionsClosed: Self { Self(.unavailable, "The store is closing. Try again later.") }
}
