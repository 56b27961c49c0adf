// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension TransactionManager {
    /// Reads in a transaction, at a time, or simply the latest state.
    ///
    /// The body reads from the store at the time it is given, or the latest state without one. The locks of a
    /// read-write transaction are held before it begins. In a transaction it waits, blocking the thread, for a commit
    /// to what it reads that is just being written to the disk.
    ///
    /// - Throws: `DocumentStoreError` for an invalid query or transaction; what the body throws.
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
            try $0.beginRead(in: transaction, of: database, locks, at: clock.now())
        }
        defer { core.update { $0.endRead(in: key, at: clock.now()) } }
        switch reading {
        case .at(let time):
            return try body(time)
        case .first:
            let now = try latestReadTime(of: database)
            return try body(core.update { $0.fixReadTime(of: key, now) })
        case .latest(let gates):
            for gate in gates { gate.wait() }
            return try body(nil)
        }
    }

    /// Refuses a time the store has no versions of.
    func validate(_ readTime: Timestamp, in database: DatabaseID) throws {
        let now = try latestReadTime(of: database)
        guard readTime <= now else { throw DocumentStoreError.transactionTimeInFuture }
        guard readTime >= store.timeline.began else { throw DocumentStoreError.readTimeBeforeCreation }
        // Microseconds saturate: a client may name any second at all.
        let age = Duration.seconds((now.microseconds - readTime.microseconds) / 1_000_000)
        guard age <= VersionLimits.retention else {
            throw DocumentStoreError.transactionTimeTooOld
        }
    }

    /// A moment all of whose commits are stored, and that no later commit will share.
    func latestReadTime(of database: DatabaseID) throws -> Timestamp {
        try store.get([], in: database).readTime
    }
}
