// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The values of the nodes that one pass evaluates, in the order in which they were made.
struct PassRecording: Sendable {
    struct Event: Sendable {
        let node: Int32
        /// `nil` where `&&`, `||` or `?:` left the node out.
        let value: RulesValue?
    }

    private(set) var events: [Event] = []
    /// The count of events up to the end of each condition that was judged.
    private(set) var ends: [Int] = []
    /// The failure that comes next is at the beginning of its node, wherever others of its kind are.
    var pointsToStart = false

    /// An estimate of the memory that it holds.
    private(set) var byteCount = 0

    mutating func add(_ value: RulesValue?, of node: Int32) {
        events.append(Event(node: node, value: value))
        byteCount += MemoryLayout<Event>.stride + (value?.byteCount ?? 0)
    }

    mutating func endCondition() { ends.append(events.count) }
}
