// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Puts what was asked for into the order in which it was asked for, whichever image comes first.
///
/// Each request takes a ticket. Its outcome is passed to the caches once everything asked for earlier has had an end:
/// so hits, misses and evictions of batches that do not overlap never depend on the network, whatever the policy.
struct AccessSequence {
    /// The outcome of a request.
    enum Outcome {
        /// The image was in memory.
        case found(key: String, ImageReference.Role)
        /// The image came, by this load.
        case came(loadID: Int)
        /// There is no image.
        case nothing
    }

    private var outcomes: [Outcome?] = []
    private var start = 0
    private var firstTicket: UInt64 = 1

    mutating func takeTicket() -> UInt64 {
        outcomes.append(nil)
        return firstTicket + UInt64(outcomes.count - start) - 1
    }

    /// Notes the end of a request; returns the outcomes whose turn has come, in order.
    mutating func resolve(_ ticket: UInt64, with outcome: Outcome) -> [Outcome] {
        guard ticket >= firstTicket else { return [outcome] }
        outcomes[start + Int(ticket - firstTicket)] = outcome
        return released()
    }

    /// Passes over the requests at the front that have no end yet; they have theirs out of turn.
    mutating func passOverUnresolved() -> [Outcome] {
        while start < outcomes.count, outcomes[start] == nil { advance() }
        return released()
    }

    private mutating func released() -> [Outcome] {
        var released: [Outcome] = []
        while start < outcomes.count, let outcome = outcomes[start] {
            released.append(outcome)
            advance()
        }
        return released
    }

    private mutating func advance() {
        start += 1
        firstTicket += 1
        guard start > 64, start * 2 > outcomes.count else { return }
        outcomes.removeFirst(start)
        start = 0
    }
}
