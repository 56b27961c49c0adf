// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

extension TransactionState {
    /// Makes a commit wait until its blockers ended.
    ///
    /// - Throws: `FirestoreError` (aborted) when it waited long enough or would wait in a circle and is the
    ///   youngest there.
    mutating func wait(_ ticket: CommitTicket, for blockers: Set<TransactionKey>, at now: Duration) throws {
        guard mayWait else { throw FirestoreError.transactionsClosed }
        guard graph.count < limits.waitingCommitCountMax else {
            throw FirestoreError.tooManyWaitingCommits(limit: limits.waitingCommitCountMax)
        }
        let age = makeOrdinal()
        let waiting = commits[ticket]?.waiting ?? (age: age, deadline: now + times.lockTimeout)
        guard now < waiting.deadline else { throw FirestoreError.contention }
        commits[ticket]?.waiting = waiting
        commits[ticket]?.suspension = .announced
        graph.add(ticket, of: commits[ticket]?.transaction, waitingFor: blockers)
        try breakCircles(through: ticket)
    }

    /// Suspends the task of a waiting commit, unless it was woken before.
    mutating func suspend(_ ticket: CommitTicket, continuation: CheckedContinuation<PendingCommit.Wake, Never>) {
        guard case .woken(let wake) = commits[ticket]?.suspension else {
            commits[ticket]?.suspension = .suspended(continuation)
            return
        }
        commits[ticket]?.suspension = .none
        wakeups.append(Wakeup(continuation: continuation, wake: wake))
    }

    /// Wakes a waiting commit; does nothing to one that does not wait (any more).
    mutating func wake(_ ticket: CommitTicket, with wake: PendingCommit.Wake) {
        graph.remove(ticket)
        switch commits[ticket]?.suspension {
        case .announced:
            commits[ticket]?.suspension = .woken(wake)
        case .suspended(let continuation):
            commits[ticket]?.suspension = .none
            wakeups.append(Wakeup(continuation: continuation, wake: wake))
        case .woken(.proceed):
            // It has not continued yet, and now it must not.
            commits[ticket]?.suspension = .woken(wake)
        case nil, .some(.none), .woken: break
        }
    }

    /// Ends a waiting commit and its transaction at once, so that others need not wait until its task notices.
    mutating func abort(_ ticket: CommitTicket, because reason: PendingCommit.Wake) {
        wake(ticket, with: reason)
        if let key = commits[ticket]?.transaction { end(key, as: .aborted) }
    }

    /// When a waiting commit is to be looked at again; `nil` once it does not wait.
    func alarm(of ticket: CommitTicket) -> Duration? {
        let blockers = graph.blockers(of: ticket)
        guard !blockers.isEmpty, let waiting = commits[ticket]?.waiting else { return nil }
        return blockers.compactMap { book[$0]?.expiry(times) }.reduce(waiting.deadline, min)
    }

    /// Notices that a waiting commit waited long enough, or that its blockers expired.
    mutating func look(at ticket: CommitTicket, at now: Duration) {
        for key in graph.blockers(of: ticket) {
            expire(key, at: now)
        }
        guard !graph.blockers(of: ticket).isEmpty, let waiting = commits[ticket]?.waiting else { return }
        if waiting.deadline <= now { abort(ticket, because: .contention) }
    }

    mutating func close() {
        isClosed = true
        stopWaiting()
    }

    /// Ends all waiting, and lets no commit wait any more.
    mutating func stopWaiting() {
        mayWait = false
        for ticket in graph.tickets {
            wake(ticket, with: .closed)
        }
    }

    /// Aborts the youngest of each circle that a commit closes.
    private mutating func breakCircles(through ticket: CommitTicket) throws {
        guard let start = commits[ticket]?.transaction else { return }
        while let circle = graph.circle(through: start) {
            guard let youngest = circle.max(by: { isOlder($0, than: $1) }) else { return }
            guard youngest != start, let loser = graph.ticket(of: youngest) else {
                graph.remove(ticket)
                throw FirestoreError.contention
            }
            abort(loser, because: .contention)
        }
    }

    private func isOlder(_ left: TransactionKey, than right: TransactionKey) -> Bool {
        guard let leftAge = book[left]?.age, let rightAge = book[right]?.age else { return left < right }
        return (leftAge, left) < (rightAge, right)
    }
}
