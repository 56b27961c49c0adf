// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Firestore's transactions on a store, and all its writes.
///
/// Read-write transactions lock what they read: documents, missing ones too, and everything a query matches or would
/// come to match. A commit that changes any of it waits, without holding a thread, until those transactions ended.
/// When they take too long, or the wait would be forever, it is aborted and may be tried again. Younger transactions
/// that read while it waited do not prolong the wait; they are aborted. Reads outside of transactions never wait.
///
/// One for each store, and all writes must pass it. Its methods block the calling thread where the store's do, and
/// throw `DocumentStoreError` only, `commit` also `CancellationError`.
package final class TransactionManager: Sendable {
    let store: SQLiteDocumentStore
    let core: TransactionCore
    let clock: ElapsedClock

    /// Begins to watch a store.
    ///
    /// The clock measures waiting and idleness; randomness makes the ids.
    package init(
        store: SQLiteDocumentStore,
        clock: some Clock<Duration> = ContinuousClock(),
        randomness: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        times: TransactionTimes = .production,
        limits: TransactionLimits = TransactionLimits()
    ) {
        self.store = store
        self.core = TransactionCore(TransactionState(times: times, limits: limits, randomness: randomness))
        self.clock = ElapsedClock(clock)
        store.addObserver(core)
    }

    /// Begins a transaction.
    ///
    /// - Throws: `DocumentStoreError` for a retry of what cannot be retried, a time the store cannot read at, or too
    ///   many transactions.
    package func begin(_ options: TransactionOptions, in database: DatabaseID) throws -> TransactionID {
        if case .readOnly(let readTime?) = options { try validate(readTime, in: database) }
        return try core.update { try $0.begin(options, in: database, at: clock.now()) }
    }

    /// Ends a transaction without its writes; a commit of it that waits is taken back.
    ///
    /// - Throws: `DocumentStoreError` for one that is unknown, committed or too old.
    package func rollback(_ id: TransactionID, in database: DatabaseID) throws {
        try core.update { try $0.rollBack(id, in: database, at: clock.now()) }
    }

    /// Ends all waiting, from now on: a commit that has to wait for transactions fails as unavailable.
    ///
    /// For a server that stops, since the clients of those transactions cannot end them any more.
    package func stopWaiting() {
        core.update { $0.stopWaiting() }
    }

    /// Ends all waiting.
    ///
    /// Calls after this fail as unavailable. Commits being stored continue.
    package func close() {
        core.update { $0.close() }
    }
}
