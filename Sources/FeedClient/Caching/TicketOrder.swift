// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Slots of a table as a doubly linked list, lowest ticket first.
struct TicketOrder: Sendable {
    private struct Link: Sendable {
        var ticket: UInt64 = 0
        var older: Int?
        var newer: Int?
    }

    private var links: [Link] = []
    private var oldestSlot: Int?
    private var newestSlot: Int?

    /// The slot with the lowest ticket.
    var oldest: (slot: Int, ticket: UInt64)? { oldestSlot.map { ($0, links[$0].ticket) } }

    var slotsFromOldest: [Int] { Array(sequence(state: oldestSlot, next: next)) }

    private func next(_ position: inout Int?) -> Int? {
        guard let slot = position else { return nil }
        position = links[slot].newer
        return slot
    }

    /// Gives a slot a later ticket; an earlier one changes nothing.
    mutating func move(_ slot: Int, to ticket: UInt64) {
        guard ticket > links[slot].ticket else { return }
        unlink(slot)
        link(slot, ticket: ticket)
    }

    /// Puts a slot that is not in the list behind the last one with a lower ticket.
    mutating func link(_ slot: Int, ticket: UInt64) {
        while links.count <= slot { links.append(Link()) }
        var older = newestSlot
        while let candidate = older, links[candidate].ticket > ticket { older = links[candidate].older }
        let newer: Int?
        if let older { newer = links[older].newer } else { newer = oldestSlot }
        links[slot] = Link(ticket: ticket, older: older, newer: newer)
        if let older { links[older].newer = slot } else { oldestSlot = slot }
        if let newer { links[newer].older = slot } else { newestSlot = slot }
    }

    mutating func unlink(_ slot: Int) {
        let (older, newer) = (links[slot].older, links[slot].newer)
        if let older { links[older].newer = newer } else { oldestSlot = newer }
        if let newer { links[newer].older = older } else { newestSlot = older }
    }
}
