// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The events that wait for a destination, in lanes.
///
/// Lanes take turns, and an event of a lane is out only when the one before it is done.
struct EventQueue: Sendable {
    fileprivate struct Lane {
        var waiting: [Delivery] = []
        /// The place of the first that waits; the places before are empty.
        var first = 0
    }

    private var lanes: [Delivery.Lane: Lane] = [:]
    /// Lanes of which nothing is out, in the order of their turns.
    private var turns: [Delivery.Lane] = []
    private var firstTurn = 0
    private(set) var count = 0
    private(set) var byteCount = 0

    /// Whether an event can be taken.
    var isReady: Bool { firstTurn < turns.count }

    /// Adds an event at the end of its lane.
    mutating func append(_ delivery: Delivery) {
        if lanes[delivery.lane] == nil { turns.append(delivery.lane) }
        lanes[delivery.lane, default: Lane()].waiting.append(delivery)
        count += 1
        byteCount += delivery.byteCount
    }

    /// Takes the next event; its lane waits for ``finish(_:)``.
    mutating func next() -> Delivery? {
        guard isReady else { return nil }
        let name = turns[firstTurn]
        firstTurn += 1
        if firstTurn > turns.count / 2 {
            turns.removeFirst(firstTurn)
            firstTurn = 0
        }
        return take(from: name)
    }

    private mutating func take(from name: Delivery.Lane) -> Delivery? {
        guard let delivery = lanes[name]?.takeFirst() else { return nil }
        count -= 1
        byteCount -= delivery.byteCount
        return delivery
    }

    /// Ends an event that was taken, so that the next of its lane can be.
    mutating func finish(_ name: Delivery.Lane) {
        guard let lane = lanes[name] else { return }
        if lane.first == lane.waiting.count {
            lanes[name] = nil
        } else {
            turns.append(name)
        }
    }

    /// Forgets what waits.
    mutating func removeAll() { self = EventQueue() }
}

extension EventQueue.Lane {
    fileprivate mutating func takeFirst() -> Delivery? {
        guard first < waiting.count else { return nil }
        let delivery = waiting[first]
        first += 1
        // Half of the places are empty: the rest moves up, so that a taken event is not kept.
        if first > waiting.count / 2 {
            waiting.removeFirst(first)
            first = 0
        }
        return delivery
    }
}
