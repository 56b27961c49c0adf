// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// Everything the transactions of a store have in common, to be held in a lock.
///
///     begin ─▶ book ◀─ read ─▶ locks ◀─ validate ◀─ commit
///                                         │ held by others
///                                     wait graph ─▶ a circle: the youngest loses
struct TransactionState {
    /// A task to resume once the lock is given back.
    struct Wakeup {
        let continuation: CheckedContinuation<PendingCommit.Wake, Never>
        let wake: PendingCommit.Wake
    }

    let times: TransactionTimes
    let limits: TransactionLimits
    var randomness: any RandomNumberGenerator & Sendable
    var book: TransactionBook
    var locks: [DatabaseID: LockTable] = [:]
    var graph = WaitGraph()
    var commits: [CommitTicket: PendingCommit] = [:]
    /// In the order in which they are stored; more than one only when the store stores several at once.
    var storing: [StoringCommit] = []
    var isClosed = false
    /// Whether commits may wait for transactions; not once the server stops.
    var mayWait = true
    var wakeups: [Wakeup] = []
    private var lastOrdinal = 0
    private var lastSweep = Duration.zero

    init(times: TransactionTimes, limits: TransactionLimits, randomness: any RandomNumberGenerator & Sendable) {
        self.times = times
        self.limits = limits
        self.randomness = randomness
        self.book = TransactionBook(endedCountMax: limits.endedCountMax)
    }

    /// The next place in the order of events.
    mutating func makeOrdinal() -> Int {
        lastOrdinal += 1
        return lastOrdinal
    }

    func refuseWhenClosed() throws {
        guard !isClosed else { throw FirestoreError.transactionsClosed }
    }

    /// Ends expired transactions, if that was not done just now.
    mutating func sweep(at now: Duration) {
        guard now - lastSweep >= .seconds(1) else { return }
        lastSweep = now
        book.forget(before: now - times.memory)
        for key in Array(book.liveKeys) {
            expire(key, at: now)
        }
    }

    /// Ends a transaction if it expired.
    mutating func expire(_ key: TransactionKey, at now: Duration) {
        guard let expiry = book[key]?.expiry(times), expiry <= now else { return }
        end(key, as: .expired)
    }

    /// Ends a live transaction, gives up its locks, and lets those continue that waited for it alone.
    mutating func end(_ key: TransactionKey, as ending: TransactionRecord.Ending) {
        guard let record = book.end(key, as: ending) else { return }
        releaseLocks(of: key, in: record.database)
    }

    /// Bars a transaction from committing, as what it read has changed.
    mutating func overtake(_ key: TransactionKey) {
        book.update(key) { $0.isOvertaken = true }
        if let ticket = graph.ticket(of: key) {
            abort(ticket, because: .contention)
        } else if let record = book[key] {
            // There is no need to wait for one that will not commit.
            releaseLocks(of: key, in: record.database)
        }
    }

    private mutating func releaseLocks(of key: TransactionKey, in database: DatabaseID) {
        locks[database]?.release(key)
        if locks[database]?.isEmpty == true { locks[database] = nil }
        for ticket in graph.end(key) {
            wake(ticket, with: .proceed)
        }
    }
}

/// How a transaction's read goes about it.
enum TransactionReading {
    /// Reads the latest state, once these commits are stored.
    case latest(after: [CommitGate])
    case at(Timestamp)
    /// The first read of a read-only transaction: it fixes the time.
    case first
}

extension TransactionState {
    /// Takes the locks of a read, which must take its snapshot only after this.
    mutating func beginRead(
        in id: TransactionID,
        of database: DatabaseID,
        read: ReadLocks,
        at now: Duration
    ) throws -> (TransactionKey, TransactionReading) {
        try refuseWhenClosed()
        let record = try known(id, in: database, at: now)
        if let refusal = record.refusal(of: .read, at: now, times: times) { throw refusal }
        book.update(record.key) { $0.beginRead(at: now) }
        switch record.mode {
        case .readOnly(let readTime?): return (record.key, .at(readTime))
        case .readOnly(nil): return (record.key, .first)
        case .readWrite:
            // One that is overtaken will not commit: there is nothing to protect.
            guard !record.isOvertaken else { return (record.key, .latest(after: [])) }
            return (record.key, .latest(after: lock(read, of: database, for: record.key)))
        }
    }

    /// Takes locks, and returns the gates of the commits that did not see them: the read has to see those.
    private mutating func lock(_ read: ReadLocks, of database: DatabaseID, for key: TransactionKey) -> [CommitGate] {
        var table = locks.removeValue(forKey: database) ?? LockTable(limits: limits)
        table.lock(read, for: key)
        locks[database] = table
        return storing.filter { $0.database == database && read.areTouched(by: $0.changes) }.map(\.gate)
    }

    mutating func endRead(in key: TransactionKey, at now: Duration) {
        book.update(key) { $0.endRead(at: now) }
    }

    /// Fixes the time of a read-only transaction, unless another read of it was faster, and returns it.
    mutating func fixReadTime(of key: TransactionKey, to time: Timestamp) -> Timestamp {
        if case .readOnly(let fixed?) = book[key]?.mode { return fixed }
        book.update(key) { $0.mode = .readOnly(readTime: time) }
        return time
    }
}
