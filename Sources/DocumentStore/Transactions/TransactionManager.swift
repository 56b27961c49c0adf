// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// Firestore's transactions on a store, and all its writes.
///
/// Read-write transactions lock what they read: documents, missing ones too, and everything a query matches or would
/// come to match. A commit that changes any of it waits, without holding a thread, until those transactions ended.
/// When they take too long, or the wait would be forever, it is aborted and may be tried again. Younger transactions
/// that read while it waited do not prolong the wait; they are aborted. Reads outside of transactions never wait.
///
/// One for each store, and all writes must pass it. Its methods block the calling thread where the store's do, and
/// throw `FirestoreError` only, `commit` also `CancellationError`.
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
    /// - Throws: `FirestoreError` for a retry of what cannot be retried, a time the store cannot read at, or too
    ///   many transactions.
    package func begin(_ options: TransactionOptions, in database: DatabaseID) throws -> TransactionID {
        if case .readOnly(let readTime?) = options { try validate(readTime, in: database) }
        return try core.update { try $0.begin(options, in: database, at: clock.now()) }
    }

    /// Ends a transaction without its writes; a commit of it that waits is taken back.
    ///
    /// - Throws: `FirestoreError` for one that is unknown, committed or too old.
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

extension TransactionManager {
    /// Suspends the task until its commit is no longer held up.
    nonisolated(nonsending) func waitForTurn(_ ticket: CommitTicket) async throws {
        let core = core
        let clock = clock
        let wake = await withTaskGroup(of: Void.self) { group in
            group.addTask { await Self.watch(ticket, in: core, clock: clock) }
            let wake = await Self.suspend(ticket, in: core)
            group.cancelAll()
            return wake
        }
        switch wake {
        case .proceed: try Task.checkCancellation()
        case .contention: throw FirestoreError.contention
        case .abandoned: throw FirestoreError.transactionOver
        case .cancelled: throw CancellationError()
        case .closed: throw FirestoreError.transactionsClosed
        }
    }

    private nonisolated(nonsending) static func suspend(
        _ ticket: CommitTicket,
        in core: TransactionCore
    ) async -> PendingCommit.Wake {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                core.update { $0.suspend(ticket, continuation: continuation) }
            }
        } onCancel: {
            core.update { $0.abort(ticket, because: .cancelled) }
        }
    }

    /// Looks after a waiting commit whenever its time or that of a blocker may be over.
    private static func watch(_ ticket: CommitTicket, in core: TransactionCore, clock: ElapsedClock) async {
        while let alarm = core.update({ $0.alarm(of: ticket) }) {
            guard (try? await clock.sleepUntil(alarm)) != nil else { return }
            core.update { $0.look(at: ticket, at: clock.now()) }
        }
    }
}

extension TransactionManager {
    /// Reads in a transaction, at a time, or simply the latest state.
    ///
    /// The body reads from the store at the time it is given, or the latest state without one. The locks of a
    /// read-write transaction are held before it begins. In a transaction it waits, blocking the thread, for a commit
    /// to what it reads that is just being written to the disk.
    ///
    /// - Throws: `FirestoreError` for an invalid query or transaction; what the body throws.
    package func read<Result>(
        in transaction: TransactionID?,
        at time: Timestamp? = nil,
        of database: DatabaseID,
        locking read: TransactionRead,
        _ body: (Timestamp?) throws -> Result
    ) throws -> Result {
        guard let transaction else { return try body(time) }
        let locks = try ReadLocks(read, in: database)
        let (key, reading) = try core.update {
            try $0.beginRead(in: transaction, of: database, read: locks, at: clock.now())
        }
        defer { core.update { $0.endRead(in: key, at: clock.now()) } }
        switch reading {
        case .at(let time):
            return try body(time)
        case .first:
            let now = try latestReadTime(of: database)
            return try body(core.update { $0.fixReadTime(of: key, to: now) })
        case .latest(let gates):
            for gate in gates { gate.wait() }
            return try body(nil)
        }
    }

    /// Refuses a time the store has no versions of.
    func validate(_ readTime: Timestamp, in database: DatabaseID) throws {
        let now = try latestReadTime(of: database)
        guard readTime <= now else { throw FirestoreError.transactionTimeInFuture }
        guard readTime >= store.timeline.began else { throw FirestoreError.readTimeBeforeCreation }
        // Microseconds saturate: a client may name any second at all.
        let age = Duration.seconds((now.microseconds - readTime.microseconds) / 1_000_000)
        guard age <= VersionLimits.retention else {
            throw FirestoreError.transactionTimeTooOld
        }
    }

    /// A moment all of whose commits are stored, and that no later commit will share.
    func latestReadTime(of database: DatabaseID) throws -> Timestamp {
        try store.get([], in: database).readTime
    }
}
