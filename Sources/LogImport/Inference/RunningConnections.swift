// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The connections of a user: where one from before a pause continues after it, the app was not started again.
struct RunningConnections {
    /// An app has few at a time: one to Firestore, and six to a host of images as browsers and URLSession have them.
    private static let countMax = 16

    private var lastUses: [Int64: Int64] = [:]
    /// Those used up to now, the last one last.
    private var recent: [Int64] = []

    /// `events` are those of the user, in the order of time.
    init(_ events: [ActivityEvent]) {
        for event in events where event.connection > 0 { lastUses[event.connection] = event.time }
    }

    /// Takes in the next event.
    mutating func use(_ connection: Int64) {
        guard connection > 0, recent.last != connection else { return }
        recent.removeAll { $0 == connection }
        recent.append(connection)
        if recent.count > Self.countMax { recent.removeFirst() }
    }

    /// Whether any of the connections so far is used at a time or later.
    func anyContinues(at time: Int64) -> Bool { recent.contains { lastUses[$0] ?? .min >= time } }
}
