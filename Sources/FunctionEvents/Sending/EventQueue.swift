// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The events that wait for a destination, in lanes.
///
/// Functions take turns, and so do the lanes of one. An event of a lane is out only when the one before it is done, and
/// a function has a number of events out at once, which grows as it is allowed more.
struct EventQueue: Sendable {
    /// What waits for a function.
    private struct Crowd {
        /// Lanes of which nothing is out.
        var turns = Turns<Delivery.Lane>()
        var outCount = 0
        var outMax: Int
        /// Whether it is in line for its turn.
        var isInLine = false

        var isReady: Bool { !turns.isEmpty && outCount < outMax }
        var isIdle: Bool { turns.isEmpty && outCount == 0 }
    }

    private let firstOutMax: Int
    private var lanes: [Delivery.Lane: Turns<Delivery>] = [:]
    private var crowds: [String: Crowd] = [:]
    /// Functions of which an event can be taken.
    private var line = Turns<String>()
    private(set) var count = 0
    private(set) var byteCount = 0

    /// Creates an empty queue.
    ///
    /// - Parameter firstOutMax: How many events of a function are out at once at first.
    init(firstOutMax: Int) { self.firstOutMax = firstOutMax }

    /// Whether an event can be taken.
    var isReady: Bool { !line.isEmpty }

    /// Adds an event at the end of its lane.
    mutating func append(_ delivery: Delivery) {
        let lane = delivery.lane
        if lanes[lane] == nil {
            crowds[lane.function, default: Crowd(outMax: firstOutMax)].turns.append(lane)
            standInLine(lane.function)
        }
        lanes[lane, default: Turns()].append(delivery)
        count += 1
        byteCount += delivery.byteCount
    }

    /// Takes the next event; its lane waits for ``finish(_:)``.
    mutating func next() -> Delivery? {
        guard let function = line.next() else { return nil }
        crowds[function]?.isInLine = false
        guard let lane = crowds[function]?.turns.next(), let delivery = lanes[lane]?.next() else { return nil }
        crowds[function]?.outCount += 1
        standInLine(function)
        count -= 1
        byteCount -= delivery.byteCount
        return delivery
    }

    /// Ends an event that was taken, so that the next of its lane can be.
    mutating func finish(_ lane: Delivery.Lane) {
        crowds[lane.function]?.outCount -= 1
        if lanes[lane]?.isEmpty ?? true {
            lanes[lane] = nil
        } else {
            crowds[lane.function]?.turns.append(lane)
        }
        if crowds[lane.function]?.isIdle ?? false {
            crowds[lane.function] = nil
        } else {
            standInLine(lane.function)
        }
    }

    /// Allows one more event of a function at once, up to a limit.
    mutating func allowMore(of function: String, upTo limit: Int) {
        guard let outMax = crowds[function]?.outMax, outMax < limit else { return }
        crowds[function]?.outMax = outMax + 1
        standInLine(function)
    }

    /// Forgets what waits.
    mutating func removeAll() { self = EventQueue(firstOutMax: firstOutMax) }

    private mutating func standInLine(_ function: String) {
        guard let crowd = crowds[function], crowd.isReady, !crowd.isInLine else { return }
        crowds[function]?.isInLine = true
        line.append(function)
    }
}
