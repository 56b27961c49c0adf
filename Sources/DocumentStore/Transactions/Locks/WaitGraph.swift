// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which commits wait for which transactions.
struct WaitGraph {
    private struct Wait {
        /// The transaction that commits; `nil` outside of one, which cannot be waited for.
        let owner: TransactionKey?
        var blockers: Set<TransactionKey>
    }

    private var waits: [CommitTicket: Wait] = [:]
    private var ticketsByOwner: [TransactionKey: CommitTicket] = [:]

    var count: Int { waits.count }

    var tickets: [CommitTicket] { waits.keys.sorted() }

    func blockers(of ticket: CommitTicket) -> Set<TransactionKey> { waits[ticket]?.blockers ?? [] }

    func ticket(of owner: TransactionKey) -> CommitTicket? { ticketsByOwner[owner] }

    mutating func add(_ ticket: CommitTicket, of owner: TransactionKey?, waitingFor blockers: Set<TransactionKey>) {
        precondition(!blockers.isEmpty, "a commit waits for somebody")
        waits[ticket] = Wait(owner: owner, blockers: blockers)
        if let owner { ticketsByOwner[owner] = ticket }
    }

    mutating func remove(_ ticket: CommitTicket) {
        guard let wait = waits.removeValue(forKey: ticket), let owner = wait.owner else { return }
        ticketsByOwner[owner] = nil
    }

    /// Removes a transaction that ended, and returns the commits that no longer wait, longest waiting first.
    mutating func end(_ blocker: TransactionKey) -> [CommitTicket] {
        var free: [CommitTicket] = []
        for ticket in waits.keys.sorted() {
            guard waits[ticket]?.blockers.remove(blocker) != nil, waits[ticket]?.blockers.isEmpty == true else {
                continue
            }
            free.append(ticket)
        }
        return free
    }

    /// The transactions of a circle of commits each waiting for the next, if a transaction is part of one.
    ///
    /// As every commit needs all its blockers to end, none of them would ever continue.
    func circle(through start: TransactionKey) -> [TransactionKey]? {
        var origins: [TransactionKey: TransactionKey] = [:]
        var open = [start]
        while let waiting = open.popLast() {
            guard let ticket = ticketsByOwner[waiting] else { continue }
            for blocker in blockers(of: ticket).sorted() {
                guard blocker != start else { return path(from: waiting, backTo: start, origins: origins) }
                guard origins[blocker] == nil else { continue }
                origins[blocker] = waiting
                open.append(blocker)
            }
        }
        return nil
    }

    private func path(
        from last: TransactionKey,
        backTo start: TransactionKey,
        origins: [TransactionKey: TransactionKey]
    ) -> [TransactionKey] {
        var path = [last]
        while let member = path.last, member != start, let origin = origins[member] {
            path.append(origin)
        }
        return path
    }
}
