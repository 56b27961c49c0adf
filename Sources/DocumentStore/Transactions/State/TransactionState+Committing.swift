// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension TransactionState {
    /// Takes in a commit outside of transactions.
    mutating func admit(_ paths: Set<DocumentPath>, in database: DatabaseID) throws -> CommitTicket {
        try refuseWhenClosed()
        return register(PendingCommit(database: database, transaction: nil, paths: paths))
    }

    /// Takes in the commit of a transaction, which cannot be used for anything else from now on.
    mutating func admit(
        _ paths: Set<DocumentPath>,
        of id: TransactionID,
        in database: DatabaseID,
        at now: Duration
    ) throws -> CommitTicket {
        try refuseWhenClosed()
        let record = try known(id, in: database, at: now)
        if let refusal = record.refusal(of: .commit, at: now, times: times) { throw refusal }
        guard record.mode == .readWrite || paths.isEmpty else {
            end(record.key, as: .refused)
            throw FirestoreError.transactionReadOnly
        }
        book.update(record.key) { $0.phase = .committing }
        return register(PendingCommit(database: database, transaction: record.key, paths: paths))
    }

    /// Makes a commit wait for those who read the documents it names, whatever becomes of them.
    mutating func approach(_ ticket: CommitTicket, at now: Duration) throws {
        let commit = pending(ticket)
        try refuseLoser(commit)
        try yield(ticket, to: locks[commit.database]?.holders(of: commit.paths) ?? [], at: now)
    }

    /// Lets a commit through, or makes it wait for those who read what it changes.
    ///
    /// To be called in the store's turn for writing.
    mutating func validate(_ changes: [DocumentChange], of ticket: CommitTicket, at now: Duration) throws {
        let commit = pending(ticket)
        try refuseLoser(commit)
        let holders = locks[commit.database]?.holders(of: changes) ?? []
        try yield(ticket, to: holders, at: now)
        for key in holders where key != commit.transaction {
            overtake(key)
        }
        storing.append(
            StoringCommit(
                ticket: ticket,
                database: commit.database,
                transaction: commit.transaction,
                changes: changes
            )
        )
    }

    /// Refuses a transaction that was overtaken: it must not commit on stale reads.
    func refuseLoser(_ commit: PendingCommit) throws {
        guard let key = commit.transaction else { return }
        guard let record = book[key], !record.isOvertaken else { throw FirestoreError.contention }
    }

    /// Ends a commit and its transaction; one that was reported already has ended.
    mutating func finish(_ ticket: CommitTicket, as ending: TransactionRecord.Ending) {
        graph.remove(ticket)
        if let index = storing.firstIndex(where: { $0.ticket == ticket }) {
            storing.remove(at: index).gate.open()
        }
        guard let commit = commits.removeValue(forKey: ticket), let key = commit.transaction else { return }
        end(key, as: ending)
    }

    /// Learns of a commit that is stored.
    mutating func learn(of changes: CommittedChanges) {
        switch changes.content {
        case .documents(let documents):
            guard let index = storing.firstIndex(where: { $0.database == changes.database }) else {
                // A write bypassed the manager.
                let holders = locks[changes.database]?.holders(of: documents) ?? []
                for key in holders { overtake(key) }
                return
            }
            let stored = storing.remove(at: index)
            stored.gate.open()
            if let key = stored.transaction { end(key, as: .committed) }
        case .everythingDeleted, .imported:
            for key in locks[changes.database]?.holders ?? [] { overtake(key) }
        }
    }

    /// Makes a commit wait if one of these holders comes first.
    ///
    /// At first it yields to everyone. Once it waited for them, it yields to transactions older than itself only, so
    /// that newcomers cannot keep it waiting forever. The oldest transaction of all is never overtaken.
    private mutating func yield(_ ticket: CommitTicket, to holders: Set<TransactionKey>, at now: Duration) throws {
        let commit = pending(ticket)
        let others = holders.subtracting([commit.transaction].compactMap(\.self))
        for key in others {
            expire(key, at: now)
        }
        let blockers = others.filter { comesFirst($0, before: commit) }
        guard !blockers.isEmpty else { return }
        try wait(ticket, for: blockers, at: now)
        throw CommitMustWait()
    }

    private func comesFirst(_ holder: TransactionKey, before commit: PendingCommit) -> Bool {
        guard let holder = book[holder] else { return false }
        guard let waiting = commit.waiting else { return true }
        return holder.age < commit.transaction.flatMap { book[$0]?.age } ?? waiting.age
    }

    private func pending(_ ticket: CommitTicket) -> PendingCommit {
        guard let commit = commits[ticket] else { preconditionFailure("a commit is asked for before it ends") }
        return commit
    }

    private mutating func register(_ commit: PendingCommit) -> CommitTicket {
        let ticket = CommitTicket(ordinal: makeOrdinal())
        commits[ticket] = commit
        return ticket
    }
}
