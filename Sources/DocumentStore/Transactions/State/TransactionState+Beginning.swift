// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension TransactionState {
    mutating func begin(
        _ options: TransactionOptions,
        in database: DatabaseID,
        at now: Duration
    ) throws -> TransactionID {
        try refuseWhenClosed()
        sweep(at: now)
        guard book.liveCount(in: database) < limits.liveCountMax else {
            throw FirestoreError.tooManyTransactions(limit: limits.liveCountMax)
        }
        let ordinal = makeOrdinal()
        let record = TransactionRecord(
            key: TransactionKey(ordinal: ordinal),
            database: database,
            age: try inheritedAge(options, in: database, at: now) ?? ordinal,
            beginning: now,
            mode: options.mode
        )
        let id = makeID()
        book.insert(record, as: id)
        return id
    }

    mutating func rollBack(_ id: TransactionID, in database: DatabaseID, at now: Duration) throws {
        try refuseWhenClosed()
        let record = try known(id, in: database, at: now)
        if abandon(record) { return }
        if let refusal = record.refusal(of: .rollback, at: now, times: times) { throw refusal }
        end(record.key, as: .rolledBack)
    }

    /// A transaction of this database, expired by now if it is to be.
    mutating func known(_ id: TransactionID, in database: DatabaseID, at now: Duration) throws -> TransactionRecord {
        guard let record = book.record(id, in: database) else { throw FirestoreError.transactionUnknown }
        expire(record.key, at: now)
        return book.record(id, in: database) ?? record
    }

    /// The age of the attempt that is tried again, which ends here if it has not.
    private mutating func inheritedAge(
        _ options: TransactionOptions,
        in database: DatabaseID,
        at now: Duration
    ) throws -> Int? {
        guard case .readWrite(let former?) = options else { return nil }
        let record = try known(former, in: database, at: now)
        guard now - record.beginning < times.memory else { throw FirestoreError.transactionUnknown }
        guard record.mode == .readWrite else { throw FirestoreError.retryOfReadOnly }
        if !abandon(record), record.phase == .active { end(record.key, as: .rolledBack) }
        return record.age
    }

    /// Takes back a commit that still waits, and its transaction with it; returns whether there was one.
    private mutating func abandon(_ record: TransactionRecord) -> Bool {
        guard record.phase == .committing, let ticket = graph.ticket(of: record.key) else { return false }
        end(record.key, as: .rolledBack)
        wake(ticket, with: .abandoned)
        return true
    }

    private mutating func makeID() -> TransactionID {
        var id = TransactionID(using: &randomness)
        while book.isKnown(id) {
            id = TransactionID(using: &randomness)
        }
        return id
    }
}

extension TransactionOptions {
    fileprivate var mode: TransactionRecord.Mode {
        switch self {
        case .readWrite: .readWrite
        case .readOnly(let readTime): .readOnly(readTime: readTime?.truncatedToMicroseconds)
        }
    }
}
