// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

extension TransactionManager {
    /// Makes all writes in order, or none of them, and ends the transaction, also when it fails.
    ///
    /// Waits for the transactions that read what it changes; cancelling the task ends the waiting. Stores on the
    /// caller's executor, which it blocks.
    ///
    /// - Throws: `FirestoreError` for an invalid write, a precondition that does not hold or an invalid
    ///   transaction; aborted when it loses against others; `CancellationError` when cancelled while it waits.
    package nonisolated(nonsending) func commit(
        _ writes: [Write],
        in database: DatabaseID,
        transaction: TransactionID? = nil,
        authorizing: CommitAuthorization? = nil
    ) async throws -> CommitResult {
        switch try startCommit(writes, in: database, transaction: transaction, authorizing: authorizing) {
        case .stored(let result): result
        case .waiting(let commit): try await finish(commit)
        }
    }

    /// The part of it that can be had without waiting for transactions.
    ///
    /// A commit that has to wait holds up others until `finish` is called. `authorizing` judges it in its turn, with its
    /// documents before and after; one without writes is not judged. `queued` is called when commits that come later are
    /// sure to be stored later, unless this one has to wait or fails.
    package func startCommit(
        _ writes: [Write],
        in database: DatabaseID,
        transaction: TransactionID? = nil,
        authorizing: CommitAuthorization? = nil,
        queued: () -> Void = {}
    ) throws -> StartedCommit {
        let documents = Set(writes.map(\.path))
        let ticket = try core.update { state in
            guard let transaction else { return try state.admit(documents, in: database) }
            return try state.admit(documents, of: transaction, in: database, at: clock.now())
        }
        if transaction != nil, writes.isEmpty { return .stored(try commitReads(of: database, by: ticket)) }
        let commit = WaitingCommit(writes: writes, database: database, ticket: ticket, authorization: authorizing)
        return try endingOnError(commit) { try store(commit, queued: queued).map { .stored($0) } ?? .waiting(commit) }
    }

    /// Waits until a commit is no longer held up, and stores it; throws as `commit` does.
    package nonisolated(nonsending) func finish(_ commit: WaitingCommit) async throws -> CommitResult {
        while true {
            do {
                try await waitForTurn(commit.ticket)
            } catch {
                throw core.update { $0.fail(commit.ticket, with: error) }
            }
            if let result = try endingOnError(commit, { try store(commit) }) { return result }
        }
    }

    func endingOnError<Result>(_ commit: WaitingCommit, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw core.update { $0.fail(commit.ticket, with: error) }
        }
    }

    /// Stores a commit and ends it, or returns `nil` when it has to wait.
    private func store(_ commit: WaitingCommit, queued: () -> Void = {}) throws -> CommitResult? {
        do {
            try core.update { try $0.approach(commit.ticket, at: clock.now()) }
            let result = try store.commit(
                commit.writes,
                in: commit.database,
                authorizing: commit.authorization,
                queued: queued
            ) { changes in
                try core.update { try $0.validate(changes, of: commit.ticket, at: clock.now()) }
            }
            core.update { $0.finish(commit.ticket, as: .committed) }
            return result
        } catch is CommitMustWait {
            return nil
        }
    }

    /// Ends a transaction that writes nothing: that its locks held until now is all there is to check.
    private func commitReads(of database: DatabaseID, by ticket: CommitTicket) throws -> CommitResult {
        do {
            let time = try latestReadTime(of: database)
            return try core.update { state in
                let commitTime = try state.endReads(ticket) ?? time
                return CommitResult(commitTime: commitTime, results: [], billedWrites: 0, billedDeletes: 0)
            }
        } catch {
            throw core.update { $0.fail(ticket, with: error) }
        }
    }
}

extension TransactionState {
    /// Ends a transaction that wrote nothing, and returns the time of its reads if that was fixed.
    fileprivate mutating func endReads(_ ticket: CommitTicket) throws -> Timestamp? {
        guard let commit = commits[ticket], let key = commit.transaction else { return nil }
        try refuseLoser(commit)
        defer { finish(ticket, as: .committed) }
        guard case .readOnly(let time) = book[key]?.mode else { return nil }
        return time
    }

    /// Ends a commit that failed, and returns the error to report.
    fileprivate mutating func fail(_ ticket: CommitTicket, with error: any Error) -> any Error {
        let hasLost = commits[ticket].map { (try? refuseLoser($0)) == nil } ?? false
        guard let code = (error as? FirestoreError)?.code, code.blamesWrites else {
            finish(ticket, as: .aborted)
            return error
        }
        // A precondition easily fails on what changed since it was read: then it helps to try again.
        finish(ticket, as: hasLost ? .aborted : .refused)
        return hasLost ? FirestoreError.contention : error
    }
}

extension FirestoreError.Code {
    /// Whether the same writes would be refused again.
    fileprivate var blamesWrites: Bool {
        switch self {
        case .invalidArgument, .notFound, .alreadyExists, .failedPrecondition, .permissionDenied: true
        case .unknown, .aborted, .resourceExhausted, .unimplemented, .unavailable, .dataLoss: false
        }
    }
}
