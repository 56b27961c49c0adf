// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
        _ read: ReadLocks,
        at now: Duration
    ) throws -> (TransactionKey, TransactionReading) {
        try refuseWhenClosed()
        let record = try known(id, in: database, at: now)
        if let refusal = record.refusal(of: .read, at: now, times) { throw refusal }
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
    mutating func fixReadTime(of key: TransactionKey, _ time: Timestamp) -> Timestamp {
        if case .readOnly(let fixed?) = book[key]?.mode { return fixed }
        book.update(key) { $0.mode = .readOnly(readTime: time) }
        return time
    }
}
