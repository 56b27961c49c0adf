// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// One transaction, until its id is forgotten.
struct TransactionRecord {
    /// Its permissions.
    enum Mode: Equatable {
        case readWrite
        /// The time is unknown until the first read, unless it was given.
        case readOnly(readTime: Timestamp?)
    }

    /// How far it got.
    enum Phase: Equatable {
        case active
        /// Its commit is waiting or being stored.
        case committing
        case ended(Ending)
    }

    /// How it ended.
    enum Ending: Equatable, CaseIterable {
        case committed
        case rolledBack
        /// Its commit was refused for what it wrote.
        case refused
        /// It lost to other transactions, or its client left.
        case aborted
        /// It was not used for too long, or lived too long.
        case expired
    }

    /// The client's intent.
    enum Use: CaseIterable {
        case read
        case commit
        case rollback
    }

    let key: TransactionKey
    let database: DatabaseID
    /// Lower is older: the place of its beginning, or of the first attempt's that it retries.
    let age: Int
    let beginning: Duration
    var mode: Mode
    var phase = Phase.active
    /// A document that it read was changed: it must not commit.
    var isOvertaken = false
    private var lastUse: Duration
    private var readCount = 0

    init(key: TransactionKey, database: DatabaseID, age: Int, beginning: Duration, mode: Mode) {
        self.key = key
        self.database = database
        self.age = age
        self.beginning = beginning
        self.mode = mode
        self.lastUse = beginning
    }

    mutating func beginRead(at now: Duration) {
        readCount += 1
        lastUse = now
    }

    mutating func endRead(at now: Duration) {
        readCount -= 1
        lastUse = now
    }

    /// When it expires unless it is used; `nil` once it commits or ended.
    ///
    /// A transaction that reads is not idle.
    func expiry(_ times: TransactionTimes) -> Duration? {
        guard phase == .active else { return nil }
        let end = beginning + times.totalLimit
        return readCount > 0 ? end : min(end, lastUse + times.idleLimit)
    }
}

extension TransactionRecord {
    /// Why a use is refused; `nil` when it is not.
    ///
    /// To be asked after expiry was noticed. Sources: as for the texts; that a lost transaction can be rolled back and
    /// is otherwise over is not recorded, but what the client libraries need in order to try again.
    func refusal(of use: Use, at now: Duration, times: TransactionTimes) -> FirestoreError? {
        let age = now - beginning
        guard age < times.memory else { return .transactionUnknown }
        switch (phase, use) {
        case (.active, _): return nil
        case (.ended(.expired), .rollback): return age < times.totalLimit ? nil : .transactionOver
        case (.ended(.rolledBack), .rollback), (.ended(.refused), .rollback), (.ended(.aborted), .rollback): return nil
        case (.ended(.refused), _): return .transactionRefused
        case (.committing, _), (.ended, _): return .transactionOver
        }
    }
}

/// Names a transaction within the store, in the order of their beginnings.
struct TransactionKey: Hashable, Comparable {
    let ordinal: Int

    static func < (lhs: TransactionKey, rhs: TransactionKey) -> Bool { lhs.ordinal < rhs.ordinal }
}
